import { BODY_SIZE, BODY_SIZES } from "../engine/body-sizes.ts";
import { matchesPath } from "../engine/path-pattern.ts";
import { positive } from "../option-values.ts";

/** The most bytes of a body that is sent to a path. Null stands for a path that is not the engine's. */
export type BodyBounds = (path: string | null) => number;

/** The bounds of an application, before the defaults. */
export const readBodyBounds = (given: Record<string, number> = {}): BodyBounds => {
	const own = Object.entries(given).map(
		([pattern, bytes]) => [pattern, positive(`limits.bodies[${JSON.stringify(pattern)}]`, bytes)] as const,
	);
	const sizes = [...own, ...BODY_SIZES];
	return (path) => (path && sizes.find(([pattern]) => matchesPath(pattern, path))?.[1]) || BODY_SIZE;
};
