import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { nextIndex } from "./menu-keys.ts";

/** The menu button pattern: https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ */
export const useMenu = () => {
	const id = useId();
	const trigger = useRef<HTMLButtonElement>(null);
	const menu = useRef<HTMLDivElement>(null);
	/** which entry gets the focus when the menu opens, or null while it is closed */
	const [opened, setOpened] = useState<"first" | "last" | null>(null);

	useEffect(() => {
		if (opened)
			entriesOf(menu.current)
				.at(opened === "first" ? 0 : -1)
				?.focus();
	}, [opened]);

	const close = (): void => {
		setOpened(null);
		trigger.current?.focus();
	};
	return {
		isOpen: opened !== null,
		close,
		root: {
			// a click or the Tab key elsewhere
			onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
				if (!currentTarget.contains(relatedTarget)) setOpened(null);
			},
		},
		button: {
			ref: trigger,
			// Safari focuses a clicked button only with it, and would take the click for one elsewhere
			tabIndex: 0,
			"aria-haspopup": "menu" as const,
			"aria-expanded": opened !== null,
			"aria-controls": opened === null ? undefined : id,
			onClick: () => setOpened(opened ? null : "first"),
			onKeyDown: (event: KeyboardEvent): void => {
				if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
				event.preventDefault();
				setOpened(event.key === "ArrowDown" ? "first" : "last");
			},
		},
		popup: {
			id,
			ref: menu,
			onKeyDown: (event: KeyboardEvent): void => {
				if (event.key === "Escape") close();
				const all = entriesOf(menu.current);
				const { activeElement } = document;
				const current = activeElement instanceof HTMLElement ? all.indexOf(activeElement) : -1;
				const next = nextIndex(
					event.key,
					current,
					all.map((entry) => entry.textContent ?? ""),
				);
				if (next === null) return;
				event.preventDefault();
				all[next]?.focus();
			},
		},
	};
};

const entriesOf = (menu: HTMLElement | null): HTMLElement[] => [
	...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []),
];
