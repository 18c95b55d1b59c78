import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "console-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

const chosen = (): Theme => {
	const stored = localStorage.getItem(KEY);
	return stored === "light" || stored === "dark" ? stored : "system";
};

/** Applies the theme to the page. Called once before the first paint, and with every change. */
export const applyTheme = (): void => {
	const theme = chosen();
	const shown = theme === "system" ? (system.matches ? "dark" : "light") : theme;
	document.documentElement.dataset.theme = shown;
};

system.addEventListener("change", applyTheme);

const choose = (theme: Theme): void => {
	if (theme === "system") localStorage.removeItem(KEY);
	else localStorage.setItem(KEY, theme);
	applyTheme();
	for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
	listeners.add(listener);
	return () => listeners.delete(listener);
};

/** The chosen theme, and the function that changes it. */
export const useTheme = (): [Theme, (theme: Theme) => void] => [useSyncExternalStore(subscribe, chosen), choose];
