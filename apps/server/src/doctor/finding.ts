/** What a check found: fine, worth a look, or something that will not work. */
export type Finding = {
	/** the check's name; several findings may be of one check */
	name: string;
	status: "ok" | "warning" | "wrong";
	says: string;
	/** what to do about it */
	mend?: string;
};

/** Findings of one check, told in its name. */
export const findingsOf = (name: string) => ({
	ok: (says: string): Finding => ({ name, status: "ok", says }),
	warning: (says: string, mend?: string): Finding => ({ name, status: "warning", says, ...(mend ? { mend } : {}) }),
	wrong: (says: string, mend?: string): Finding => ({ name, status: "wrong", says, ...(mend ? { mend } : {}) }),
	/** nobody knows, and nobody says that all is well */
	notChecked: (why: string): Finding => ({ name, status: "warning", says: `Not checked: ${why}` }),
});
