import type { Command } from "commander";
import { JSON_OPTION } from "./client-command.ts";
import { createOutput } from "./output.ts";

/** `doctor` */
export const addDoctor = (program: Command): void => {
	program
		.command("doctor")
		.description("Look at everything the service needs, and say what is wrong and how to mend it; changes nothing")
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants doctor")
		.action(async (options: { json?: boolean }) => {
			const { examine } = await import("../doctor/examine.ts");
			const { showFindings } = await import("../doctor/show-findings.ts");
			const findings = await examine(process.env);
			const isWell = !findings.some(({ status }) => status === "wrong");
			if (!isWell) process.exitCode = 1;
			const colours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
			await createOutput(options).result({ ok: isWell, findings }, showFindings(findings, { colours }));
			// connections to what does not answer are not waited for
			setTimeout(() => process.exit(), 1_000).unref();
		});
};
