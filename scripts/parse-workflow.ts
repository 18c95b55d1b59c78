import { registerHooks } from "node:module";

// the parser imports its schema without saying that it is JSON, which Node insists on
registerHooks({
	load: (url, context, next) =>
		next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});

const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");

/** What GitHub's own parser finds wrong with a workflow: keys, types and expressions. */
export const parseErrors = (name: string, content: string): string[] =>
	parseWorkflow({ name, content }, new NoOperationTraceWriter())
		.context.errors.getErrors()
		.map(({ message }) => message);
