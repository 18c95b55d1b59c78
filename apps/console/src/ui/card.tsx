import type { ReactNode } from "react";

type CardProps = { title?: ReactNode; intro?: ReactNode; actions?: ReactNode; children?: ReactNode; isFlush?: boolean };

/** A section of a page. `isFlush` is for tables, which reach the edge. */
export const Card = ({ title, intro, actions, children, isFlush = false }: CardProps) => (
	<section className="min-w-0 rounded-lg border border-hair bg-surface shadow-card">
		{(title || actions) && (
			<header
				className={`flex flex-wrap justify-between gap-3 px-5 pt-4 pb-3 ${intro ? "items-start" : "items-center"}`}
			>
				<div className="grid gap-0.5">
					{title && <h2 className="text-lg">{title}</h2>}
					{intro && <p className="max-w-prose text-sm text-pretty text-soft">{intro}</p>}
				</div>
				{actions && <div className="flex flex-wrap gap-2">{actions}</div>}
			</header>
		)}
		{children && <div className={isFlush ? "" : `px-5 pb-5 ${title ? "" : "pt-5"}`}>{children}</div>}
	</section>
);
