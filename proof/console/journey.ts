import type { Page } from "playwright-core";
import type { World } from "./world.ts";

/** What a journey is given. `look` checks the page that is shown, and keeps its picture. */
export type Walk = {
	world: World;
	/**
	 * A page of a new browser, signed in to nothing. Requests to any other origin are wrong. `visitElsewhere` answers those that
	 * are expected with the URL that the other site redirects to.
	 */
	open: (origin: string, visitElsewhere?: (url: string) => Promise<string | null>) => Promise<Page>;
	look: (page: Page, name: string) => Promise<void>;
	/** Something that does not hold. The run goes on and fails at its end. */
	wrong: (what: string) => void;
};

/** What a person does in the console from beginning to end. */
export type Journey = { name: string; walk: (walk: Walk) => Promise<void> };
