import { writeFileSync } from "node:fs";
import { type Identifier, isByHand, type Source } from "./namespaces/identifier.ts";
import { IDENTIFIERS, NAMESPACES } from "./namespaces/table.ts";

export const NAMESPACE_DOCS = new URL("../../docs/namespaces.md", import.meta.url);

/** The page about shared namespaces, written from the table that the proof uses. */
export const renderNamespaceDocs = (): string =>
	`${[INTRODUCTION, ...NAMESPACES.flatMap(({ title, identifiers }) => [`## ${title}`, ...identifiers.map(render)])].join("\n\n")}\n`;

const INTRODUCTION = `<!-- Written by scripts/write-namespace-docs.ts: run \`pnpm docs:namespaces\` instead of editing. -->

# Identifiers in shared namespaces

An identifier that is unique in one tenant alone is dangerous where all tenants meet: in a redirect URI, a cookie, a cache, the
claims of a token. This page lists the ${IDENTIFIERS.length} kinds of identifiers of Better Auth and its official plugins, the namespace in which tenants
meet, and what separates them there.

The list is checked against a running engine with every plugin of [plugins.md](plugins.md): its unique fields and indexes, the parameters of its
paths, the values by which requests without a hint find their tenant, and, while every endpoint is called, its cookies, storage keys,
verification identifiers and token claims. The installed packages are searched for collections that live as long as the process. What is found
and has no row fails [the proof](../proof/surface/namespaces.security.test.ts), and so does a row that names nothing. What no mechanism finds is marked
_by hand_.`;

const render = ({ name, sources, namespace, separatedBy, test }: Identifier): string =>
	[
		`### ${name[0]?.toUpperCase()}${name.slice(1)}`,
		[
			`- **Found as** ${sources.map(show).join(", ")}`,
			`- **Tenants meet in** ${namespace}`,
			`- **Separated by** ${linkFiles(separatedBy)}`,
			`- **Shown by** [${test.file}](../${test.file}): ${escapeMarkdown(test.title)}`,
		].join("\n"),
	].join("\n\n");

const show = (source: Source): string =>
	isByHand(source) ? `${escapeMarkdown(source.slice("by hand: ".length))} _(by hand)_` : `\`${source}\``;

const linkFiles = (text: string): string => text.replace(/`(src\/[\w./-]+)`/g, "[`$1`](../packages/tenants/$1)");

const escapeMarkdown = (text: string): string => text.replace(/[\\*_<>[\]|`~]/g, "\\$&");

if (import.meta.main) writeFileSync(NAMESPACE_DOCS, renderNamespaceDocs());
