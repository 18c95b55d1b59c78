/** The TypeScript versions that users have. The folder installs each under its own name. */
export const COMPILERS = ["5.9.3", "6.0.3", "7.0.2"] as const;

/** How a user compiles. */
export type Setting = {
	compiler: (typeof COMPILERS)[number];
	resolution: "nodenext" | "bundler";
	skipLibCheck: boolean;
	exactOptionalPropertyTypes: boolean;
};

const BOTH = [true, false];

/** Every setting: 24 of them. */
export const MATRIX: Setting[] = COMPILERS.flatMap((compiler) =>
	(["nodenext", "bundler"] as const).flatMap((resolution) =>
		BOTH.flatMap((skipLibCheck) =>
			BOTH.map((exactOptionalPropertyTypes) => ({ compiler, resolution, skipLibCheck, exactOptionalPropertyTypes })),
		),
	),
);

/**
 * Half of them, for each change: a compiler that skips declaration files reports the same errors of a program without those in
 * declaration files. So whatever fails with `skipLibCheck` fails here. A night compiles with every setting.
 */
export const SHORT_MATRIX: Setting[] = MATRIX.filter(({ skipLibCheck }) => !skipLibCheck);

/** JavaScript has neither strict types nor declaration files of its own, so only these two matter. */
export const SCRIPT_MATRIX: Setting[] = MATRIX.filter(
	({ skipLibCheck, exactOptionalPropertyTypes }) => skipLibCheck && !exactOptionalPropertyTypes,
);

/** The compiler options of a setting. */
export const optionsOf = ({ resolution, skipLibCheck, exactOptionalPropertyTypes }: Setting) => ({
	target: "ES2023",
	lib: ["ES2023", "DOM", "DOM.Iterable"],
	...(resolution === "nodenext"
		? { module: "nodenext", moduleResolution: "nodenext" }
		: { module: "esnext", moduleResolution: "bundler" }),
	jsx: "react-jsx",
	strict: true,
	noEmit: true,
	allowImportingTsExtensions: true,
	types: ["node"],
	skipLibCheck,
	exactOptionalPropertyTypes,
});

/** A setting in words. */
export const nameOf = ({ compiler, resolution, skipLibCheck, exactOptionalPropertyTypes }: Setting): string =>
	[
		`TypeScript ${compiler}`,
		resolution,
		...(skipLibCheck ? ["skipLibCheck"] : []),
		...(exactOptionalPropertyTypes ? ["exactOptionalPropertyTypes"] : []),
	].join(", ");
