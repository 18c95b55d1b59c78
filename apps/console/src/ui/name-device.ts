const BROWSERS: [RegExp, string][] = [
	[/\bEdg\//, "Edge"],
	[/\bOPR\//, "Opera"],
	[/\bFirefox\//, "Firefox"],
	[/\b(?:Headless)?Chrome\//, "Chrome"],
	[/\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
	[/\biPhone\b/, "iPhone"],
	[/\biPad\b/, "iPad"],
	[/\bAndroid\b/, "Android"],
	[/\bWindows\b/, "Windows"],
	[/\bMac OS X\b/, "macOS"],
	[/\bLinux\b/, "Linux"],
];

const find = (names: [RegExp, string][], text: string): string | undefined =>
	names.find(([pattern]) => pattern.test(text))?.[1];

/** "Chrome on Windows". The beginning of the user agent if it says neither. */
export const nameDevice = (userAgent: string | null): string => {
	if (!userAgent) return "Unknown device";
	const [browser, system] = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)];
	if (browser) return system ? `${browser} on ${system}` : browser;
	return userAgent.slice(0, 80);
};
