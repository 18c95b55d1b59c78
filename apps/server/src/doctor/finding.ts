/** The result of a check: fine, a warning, or a problem. */
export type Finding = {
	/** the name of the check, which may have several findings */
	name: string;
	status: "ok" | "warning" | "wrong";
	says: string;
	/** what to do about it */
	fix?: string;
};

/** Creates findings of one check. */
export const findingsOf = (name: string) => ({
	ok: (says: string): Finding => ({ name, status: "ok", says }),
	warning: (says: string, fix?: string): Finding => ({ name, status: "warning", says, ...(fix ? { fix } : {}) }),
	wrong: (says: string, fix?: string): Finding => ({ name, status: "wrong", says, ...(fix ? { fix } : {}) }),
	/** an unknown state is a warning, not a success */
	notChecked: (why: string): Finding => ({ name, status: "warning", says: `Not checked: ${why}` }),
});
