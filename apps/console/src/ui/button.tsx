import type { ButtonHTMLAttributes } from "react";

type Kind = "primary" | "secondary" | "quiet" | "danger" | "risky";

const KINDS: Record<Kind, string> = {
	primary: "bg-accent text-on-accent shadow-card hover:bg-accent-hover",
	secondary: "border border-rim bg-surface text-ink shadow-card hover:bg-sunken",
	quiet: "text-ink hover:bg-sunken",
	danger: "bg-danger text-on-danger shadow-card hover:bg-danger-hover",
	// opens a dialog that asks: the strong color is for the button there
	risky: "border border-rim bg-surface text-danger-ink shadow-card hover:bg-danger-soft",
};

/** The classes of a button, for links that look like one. */
export const buttonClass = (kind: Kind = "secondary"): string =>
	`inline-flex items-center justify-center gap-2 min-h-9 px-3.5 rounded-md text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-55 ${KINDS[kind]}`;

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { kind?: Kind; isBusy?: boolean };

/** A button. While it is busy it keeps its size, its focus and its name, and cannot be pressed again. */
export const Button = ({ kind, isBusy = false, className = "", children, onClick, ...rest }: ButtonProps) => (
	<button
		type="button"
		{...rest}
		aria-disabled={isBusy || undefined}
		aria-busy={isBusy || undefined}
		onClick={isBusy ? (event) => event.preventDefault() : onClick}
		className={`${buttonClass(kind)} ${isBusy ? "opacity-70" : ""} ${className}`}
	>
		{children}
	</button>
);
