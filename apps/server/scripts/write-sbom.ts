import { globSync, lstatSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Factories } from "@cyclonedx/cyclonedx-library/Contrib/License";
import { ComponentType } from "@cyclonedx/cyclonedx-library/Enums";
import { Bom, Component, Property } from "@cyclonedx/cyclonedx-library/Models";
import { JSON as Json, JsonSerializer } from "@cyclonedx/cyclonedx-library/Serialize";
import { Spec1dot6 } from "@cyclonedx/cyclonedx-library/Spec";
import { BUNDLED_FILE, readBundled, readManifest } from "../list-bundled.ts";

/*
 * Writes sbom.cdx.json into what put-together.sh collects: every package that is in it, with its version and license. Packages
 * that are part of the build are marked as bundled: no scanner would find them by their files.
 *
 *   node write-sbom.ts DIRECTORY
 */
const [directory = ""] = process.argv.slice(2);
const server = readManifest(join(import.meta.dirname, ".."));
const licenses = new Factories.LicenseFactory(() => {
	throw new Error("is no expression");
});

const describe = ({ name, version, identifier }: { name: string; version: string; identifier: string | null }) => {
	const [group, plain] = name.startsWith("@") ? name.split("/") : [undefined, name];
	const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
	const component = new Component(ComponentType.Library, plain ?? name, {
		version,
		purl,
		bomRef: purl,
		...(group ? { group } : {}),
	});
	if (identifier) component.licenses.add(licenses.makeFromString(identifier));
	return component;
};

const components = new Map<string, Component>();
for (const path of globSync("node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json", { cwd: directory })) {
	const folder = join(directory, dirname(path));
	// a link leads to another package, which has its own folder
	if (lstatSync(folder).isSymbolicLink()) continue;
	const component = describe(readManifest(folder));
	components.set(component.bomRef.value ?? "", component);
}
for (const one of readBundled(join(directory, "apps/server/dist", BUNDLED_FILE))) {
	const component = describe(one);
	const known = components.get(component.bomRef.value ?? "") ?? component;
	known.properties.add(new Property("better-auth-tenants:bundled", "true"));
	components.set(known.bomRef.value ?? "", known);
}

const service = new Component(ComponentType.Application, "better-auth-tenants-service", {
	version: server.version,
	bomRef: "service",
});
service.licenses.add(licenses.makeFromString(server.identifier ?? "MIT"));
const bom = new Bom();
bom.metadata.component = service;
for (const component of components.values()) {
	bom.components.add(component);
	service.dependencies.add(component.bomRef);
}
const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6));
writeFileSync(join(directory, "sbom.cdx.json"), `${serializer.serialize(bom, { sortLists: true, space: "\t" })}\n`);
