/** A password hash of another system. */
export type ForeignHash = {
	verify: (password: string) => Promise<boolean>;
	/** Whether the hash covers only the beginning of this password. */
	isCut: (password: string) => boolean;
};
