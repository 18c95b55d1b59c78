type Coverage = { static: object; perTest: object };

/** Stryker reports the coverage of a whole process after each test file, and files share a process. */
const { __stryker__: seen } = globalThis as { __stryker__?: { mutantCoverage?: Coverage } };
for (const part of [seen?.mutantCoverage?.static, seen?.mutantCoverage?.perTest])
	for (const key of Object.keys(part ?? {})) Reflect.deleteProperty(part ?? {}, key);

// a mutant may keep connections open, and then a process whose parent was ended would stay
if (process.listenerCount("disconnect") === 0) process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
