import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLogOutput } from "../../src/observe/log-output.ts";

const LINE = `${"x".repeat(999)}\n`;

/** A pipe that nobody reads, until `read` is called. */
const openPipe = () => {
	const folder = mkdtempSync(join(tmpdir(), "log-output-"));
	const path = join(folder, "pipe");
	execFileSync("mkfifo", [path]);
	const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	onTestFinished(() => {
		// a write that still waits fails then
		closeSync(reader);
		rmSync(folder, { recursive: true });
	});
	return {
		fd: openSync(path, constants.O_WRONLY),
		read: (bytes: number): number => readSync(reader, Buffer.alloc(bytes)),
	};
};

it("does not wait for a reader, drops and counts lines above 8 MB, and gives up at the end", async () => {
	const { fd, read } = openPipe();
	const output = openLogOutput(fd);
	let written = 0;
	for (let line = 0; line < 9_000; line += 1) if (output.write(LINE)) written += 1;
	expect(written).toBeGreaterThan(7_900);
	expect(output.dropped()).toBe(9_000 - written);
	await output.close();
	expect(read(1_000)).toBe(1_000);
	expect(output.write(LINE)).toBe(false);
});

it("writes all lines before it closes", async () => {
	const { fd, read } = openPipe();
	const output = openLogOutput(fd);
	for (let line = 0; line < 10; line += 1) expect(output.write(LINE)).toBe(true);
	await output.close();
	expect(read(100_000)).toBe(10 * LINE.length);
	expect(output.dropped()).toBe(0);
});

it("goes on with a full disk", async () => {
	const fd = openSync("/dev/full", "w");
	const output = openLogOutput(fd);
	for (let line = 0; line < 10; line += 1) {
		expect(output.write(LINE)).toBe(true);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	await output.close();
});
