import type { IdentityProvider } from "test-kit/identity-provider";
import type { Query } from "test-kit/load/invariants";
import { Visitor } from "test-kit/load/visitor";
import type { RunningApp } from "../../app/start-app.ts";

/** What every scenario has before it. The application changes with each restart, its address does not. */
export type Scene = {
	app: () => RunningApp;
	origin: () => string;
	query: Query;
	idp: IdentityProvider;
	/** a name that nobody has yet */
	fresh: (kind: string) => string;
};

export type Attempt = {
	/** The work during which the process dies; says whether its caller was told that it is done. */
	run: () => Promise<boolean>;
	/** Looks at what is there after the restart, lets the person try again, and answers what is wrong. */
	inspect: (acknowledged: boolean) => Promise<string[]>;
};

export type Scenario = {
	name: string;
	/** Makes what all attempts share, and answers how to prepare one. */
	begin: (scene: Scene) => Promise<() => Promise<Attempt>>;
};

export const visitorOf = (scene: Scene): Visitor => new Visitor(scene.origin);
