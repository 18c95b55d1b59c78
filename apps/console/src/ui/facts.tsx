import type { ReactNode } from "react";

/** Names and values, beside each other where there is room. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className="grid gap-3 sm:gap-2.5">{children}</dl>;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
	<div className="grid gap-0.5 sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-4">
		<dt className="text-sm text-soft sm:pt-px">{name}</dt>
		<dd className="min-w-0 wrap-anywhere">{children}</dd>
	</div>
);
