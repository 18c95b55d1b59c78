type Taken = {
	/** the name on the command line */
	id: string;
	/** what the mutant does, as a sentence */
	name: string;
	/** below src/ */
	file: string;
	/** must match exactly once, so that a refactoring fails the run instead of silently dropping the mutant */
	find: string | RegExp;
	/** may use the groups of a pattern ($1) */
	replace: string;
	/** rows of the threat model */
	threats: number[];
};

/** Caught by the model of fifty tenants, whose users sign up, in and out, and replay what they received. */
export type ModelDefense = Taken & {
	caughtBy: "model";
	/** only visible with sessions and verifications in Redis */
	redis?: boolean;
};

/**
 * Out of the model's reach (a crash, another database, a refused start, a hostile provider), so caught by these tests.
 */
export type TestDefense = Taken & {
	caughtBy: "tests";
	files: string[];
	/** a part of the names of the tests to run */
	named: string;
};

/** One defense, and how to remove only that. */
export type Defense = ModelDefense | TestDefense;
