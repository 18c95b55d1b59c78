import { registerHooks } from "node:module";

// the parser imports its schema without the JSON attribute that Node requires
registerHooks({
	load: (url, context, next) =>
		next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});

const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");

/** Returns the errors of GitHub's own parser: keys, types and expressions. */
export const parseErrors = (name: string, content: string): string[] =>
	parseWorkflow({ name, content }, new NoOperationTraceWriter())
		.context.errors.getErrors()
		.map(({ message }) => message);
