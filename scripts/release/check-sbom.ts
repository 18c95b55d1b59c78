import * as z from "zod";

const licenses = z
	.array(z.union([z.looseObject({ license: z.looseObject({}) }), z.looseObject({ expression: z.string() })]))
	.min(1);

const component = z.looseObject({
	name: z.string(),
	group: z.string().optional(),
	version: z.string(),
	purl: z.string().startsWith("pkg:npm/"),
	licenses,
});

/** The parts of CycloneDX that a reader of our SBOMs relies on. */
const sbom = z.looseObject({
	bomFormat: z.literal("CycloneDX"),
	specVersion: z.string(),
	metadata: z.looseObject({ component }),
	components: z.array(component).optional(),
	dependencies: z.array(z.looseObject({ ref: z.string() })),
});

const nameOf = ({ group, name }: z.infer<typeof component>): string => (group ? `${group}/${name}` : name);

/** Finds problems of an SBOM. `direct` are the package's own dependencies, `others` its development and peer dependencies. */
export const checkSbom = (
	content: unknown,
	expected: { name: string; version: string; direct: string[]; others: string[] },
): string[] => {
	const parsed = sbom.safeParse(content);
	if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `/${path.join("/")} ${message}`);
	const { metadata, components = [] } = parsed.data;
	const { name, version } = expected;
	const listed = components.map(nameOf);
	const found: string[] = [];
	if (metadata.component.version !== version || nameOf(metadata.component) !== name)
		found.push(`describes ${nameOf(metadata.component)}@${metadata.component.version}.`);
	if (!metadata.component.purl.startsWith(`pkg:npm/${name}@${version}`))
		found.push(`identifies the package as ${metadata.component.purl}.`);
	for (const dependency of expected.direct)
		if (!listed.includes(dependency)) found.push(`does not list ${dependency}, a dependency.`);
	for (const other of expected.others)
		if (listed.includes(other) && !expected.direct.includes(other))
			found.push(`lists ${other}, which is not installed with the package.`);
	return found;
};
