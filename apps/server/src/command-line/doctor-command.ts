import type { Command } from "commander";
import { JSON_OPTION } from "./client-command.ts";
import { createOutput } from "./output.ts";

/** `doctor` */
export const addDoctor = (program: Command): void => {
	program
		.command("doctor")
		.description("Check everything the server needs, and say what is wrong and how to fix it. Changes nothing")
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants doctor")
		.action(async (options: { json?: boolean }) => {
			const { examine } = await import("../doctor/examine.ts");
			const { showFindings } = await import("../doctor/show-findings.ts");
			const findings = await examine(process.env);
			const isWell = !findings.some(({ status }) => status === "wrong");
			if (!isWell) process.exitCode = 1;
			const colors = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
			await createOutput(options).result({ ok: isWell, findings }, showFindings(findings, { colors }));
			// does not wait for connections that hang
			setTimeout(() => process.exit(), 1_000).unref();
		});
};
