import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/command-line/program.ts";
import { runCommand } from "./support/run-command.ts";

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

describe("help", () => {
	it("describes each command and option, and has a valid example", () => {
		const commands = everyCommand(createProgram());
		expect(commands.length).toBeGreaterThan(18);
		for (const command of commands) {
			let help = "";
			command.configureOutput({
				writeOut: (text) => {
					help += text;
				},
			});
			command.outputHelp();
			expect(command.description()).not.toBe("");
			expect(help).toContain("Example:\n  $ tenants ");
			for (const option of command.options) expect(option.hidden || option.description !== "").toBe(true);
		}
	});

	it("is shown without a command (exit code 1) and with --help (exit code 0)", async () => {
		const asked = await runCommand(["tenant", "--help"]);
		expect(asked).toMatchObject({ code: 0, stderr: "" });
		expect(asked.stdout).toContain("create [options]");
		const unasked = await runCommand(["tenant"]);
		expect(unasked).toMatchObject({ code: 1, stdout: "" });
		expect(unasked.stderr).toContain("create [options]");
	});
});
