import { BODY_SIZE, BODY_SIZES } from "../../endpoints/body-sizes.ts";
import { matchesPath } from "../../engine/path-pattern.ts";
import { defineService } from "../../engine/service.ts";
import { positive } from "../limits/option-values.ts";

/** Bytes that are parsed in microseconds, whatever they are. */
const SHORT = 4_096;

export type BodyBounds = {
	/** the most bytes of a body that is sent to a path; null stands for a path that is not the engine's */
	of: (path: string | null) => number;
	/** bytes that no bound rejects, and that need no check */
	short: number;
};

/** The most bytes of a body, by path. */
export const bodyBoundsOf = defineService<BodyBounds>("bodyBounds");

/** The bounds of an application, before the defaults. */
export const readBodyBounds = (given: Record<string, number> = {}): BodyBounds => {
	const own = Object.entries(given).map(
		([pattern, bytes]) => [pattern, positive(`limits.bodies[${JSON.stringify(pattern)}]`, bytes)] as const,
	);
	const sizes = [...own, ...BODY_SIZES];
	return {
		of: (path) => (path && sizes.find(([pattern]) => matchesPath(pattern, path))?.[1]) || BODY_SIZE,
		short: Math.min(SHORT, ...own.map(([, bytes]) => bytes)),
	};
};
