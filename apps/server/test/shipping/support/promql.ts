import { parser } from "@prometheus-io/lezer-promql";

/** The metrics that a query reads. Throws if the query is not valid PromQL. */
export const metricsIn = (query: string): string[] => {
	const names = new Set<string>();
	parser.parse(query).iterate({
		enter: ({ type, from, to, node }) => {
			if (type.isError) throw new Error(`Not PromQL at ${from}: ${query}`);
			if (type.name === "Identifier" && node.parent?.name === "VectorSelector") names.add(query.slice(from, to));
		},
	});
	return [...names];
};

/** The values that a query compares labels with, by metric and label: `{reason=~"a|b"}` compares with a and b. */
export const labelValuesIn = (query: string): { metric: string; label: string; values: string[] }[] => {
	const found: { metric: string; label: string; values: string[] }[] = [];
	parser.parse(query).iterate({
		enter: ({ type, node }) => {
			if (type.name !== "VectorSelector") return;
			const [, metric = "", matchers = ""] = /^([\w:]+)\{(.*)\}$/s.exec(query.slice(node.from, node.to)) ?? [];
			for (const [, label = "", value = ""] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g))
				found.push({ metric, label, values: value.split("|") });
		},
	});
	return found;
};
