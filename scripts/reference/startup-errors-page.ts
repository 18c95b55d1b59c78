import { code, type Page, prose, sentence, table } from "./markdown.ts";
import { SERVICE_FIXES, STARTUP_HELP, type StartupHelp, type When } from "./startup-error-help.ts";
import { type Message, packageMessages, serviceMessages } from "./startup-messages.ts";

const INTRODUCTION =
	"Every message with which the package or the service refuses to start, keeps tenants closed or warns, with its cause and fix. `…` stands for what is filled in.";

const TITLES: Record<When, [title: string, text: string]> = {
	options: ["Options", "Thrown when `tenantAuth()`, a resolver or `limitConcurrency()` is called."],
	start: ["Better Auth does not start", "Thrown as `tenantAuth refuses to start`, with all reasons at once."],
	closed: [
		"Tenants are closed",
		"Logged as `tenantAuth keeps tenants closed: …`. Requests to tenants return 503 `DATABASE_NOT_ISOLATED`, and the platform works. The check runs again until the database is ready. [Database](../database.md) has the migrations.",
	],
	warning: ["Warnings", "Logged once. Everything works."],
	call: ["When a function is called", "Thrown by functions of the package, or by what a plugin or your code does."],
	bug: ["Bugs", "These must never appear."],
};

export const startupErrorsPage = (): Page => {
	const messages = packageMessages().map((message) => ({ message, help: helpFor(message) }));
	return {
		file: "startup-errors.md",
		title: "Start-up errors",
		introduction: INTRODUCTION,
		body: [
			...Object.entries(TITLES).flatMap(([when, [title, text]]) => [
				`## ${title}`,
				text,
				...messages.filter(({ help }) => help.when === when).flatMap(({ message, help }) => render(message, help)),
			]),
			"## Configuration of the service",
			"`tenants serve` and `tenants doctor` list all mistakes at once. A message that begins with `…` begins with the name of the variable.",
			table(
				["Message", "Fix"],
				serviceMessages()
					.map(splitMessage)
					.map(({ problem, fix }) => [code(problem), prose(fix)]),
			),
		],
	};
};

const render = ({ text }: Message, { cause, fix }: StartupHelp): string[] => [
	`> ${code(oneLine(text))}`,
	`Cause: ${cause}`,
	`Fix: ${prose(fix ?? fixIn(text))}`,
];

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

/** The help of a message. Throws if there is none, or more than one. */
const helpFor = ({ text, file }: Message): StartupHelp => {
	const found = Object.entries(STARTUP_HELP).filter(([beginning]) => text.startsWith(beginning));
	const [only, other] = found;
	if (!only || other)
		throw new Error(`${file}: ${JSON.stringify(text)} has ${found.length} entries. Add one to startup-error-help.ts.`);
	return only[1];
};

/** The sentences after the first one say what to do. Throws if there are none. */
const fixIn = (text: string): string => {
	const [, fix] = /^.+?(?:[.!)]|[^.…]…\.) (?=[A-Z…`])(.+)$/s.exec(oneLine(text)) ?? [];
	if (!fix) throw new Error(`${JSON.stringify(text)} does not say how to fix it. Add fix to startup-error-help.ts.`);
	return sentence(fix);
};

const splitMessage = ({ text }: Message): { problem: string; fix: string } => {
	const [, given] = Object.entries(SERVICE_FIXES).find(([beginning]) => text.startsWith(beginning)) ?? [];
	if (given) return { problem: oneLine(text), fix: given };
	const fix = fixIn(text);
	return {
		problem: oneLine(text)
			.slice(0, oneLine(text).lastIndexOf(fix.replace(/\.$/, "")))
			.trim(),
		fix,
	};
};
