import { writeFileSync } from "node:fs";
import { type Identifier, isByHand, type Source } from "./namespaces/identifier.ts";
import { IDENTIFIERS, NAMESPACES } from "./namespaces/table.ts";

export const NAMESPACE_DOCS = new URL("../../docs/namespaces.md", import.meta.url);

/** Renders the page about shared namespaces from the table that the proof uses. */
export const renderNamespaceDocs = (): string =>
	`${[INTRODUCTION, ...NAMESPACES.flatMap(({ title, identifiers }) => [`## ${title}`, ...identifiers.map(render)])].join("\n\n")}\n`;

const INTRODUCTION = `<!-- Written by scripts/write-namespace-docs.ts: run \`pnpm docs:namespaces\` instead of editing. -->

# Identifiers in shared namespaces

An identifier that is only unique in one tenant is dangerous in a namespace that all tenants share: a redirect URI, a cookie, a cache, the
claims of a token. This page lists the ${IDENTIFIERS.length} kinds of identifiers of Better Auth and its official plugins, the namespace that tenants
share, and what separates them there.

The list is checked against a running Better Auth with every plugin in [plugins.md](plugins.md): its unique fields and indexes, its path
parameters, the values that determine the tenant of requests without a hint, and, while every endpoint is called, its cookies, storage keys,
verification identifiers and token claims. The installed packages are searched for collections that live as long as the process. An identifier
without a row fails [the proof](../proof/surface/namespaces.security.test.ts), and so does a row that matches nothing. Identifiers that no mechanism finds
are marked _by hand_.`;

/** Better Auth 1.7.18 names some of them differently. */
const showAll = ({ sources, since1718: { adds = [], drops = [] } = {} }: Identifier): string =>
	[
		...sources.map((source) => `${show(source)}${drops.includes(source) ? " _(before Better Auth 1.7.18)_" : ""}`),
		...adds.map((source) => `${show(source)} _(since Better Auth 1.7.18)_`),
	].join(", ");

const render = (identifier: Identifier): string => {
	const { name, namespace, separatedBy, test } = identifier;
	const facts = [
		`- **Found as** ${showAll(identifier)}`,
		`- **Shared in** ${namespace}`,
		`- **Separated by** ${linkFiles(separatedBy)}`,
		`- **Tested by** [${test.file}](../${test.file}): ${escapeMarkdown(test.title)}`,
	];
	return `### ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${facts.join("\n")}`;
};

const show = (source: Source): string =>
	isByHand(source) ? `${escapeMarkdown(source.slice("by hand: ".length))} _(by hand)_` : `\`${source}\``;

const linkFiles = (text: string): string => text.replace(/`(src\/[\w./-]+)`/g, "[`$1`](../packages/tenants/$1)");

const escapeMarkdown = (text: string): string => text.replace(/[\\*_<>[\]|`~]/g, "\\$&");

if (import.meta.main) writeFileSync(NAMESPACE_DOCS, renderNamespaceDocs());
