import { type ReactNode, useEffect } from "react";

type PageHeaderProps = { title: string; intro?: ReactNode; actions?: ReactNode; badge?: ReactNode };

/** The heading of a page. It also names the browser tab. */
export const PageHeader = ({ title, intro, actions, badge }: PageHeaderProps) => {
	useEffect(() => {
		document.title = `${title} · Console`;
	}, [title]);
	return (
		<header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 pb-6">
			<div className="grid min-w-0 gap-1">
				<div className="flex flex-wrap items-center gap-2.5">
					<h1 className="text-2xl wrap-anywhere" tabIndex={-1}>
						{title}
					</h1>
					{badge}
				</div>
				{intro && <p className="max-w-prose text-pretty text-soft">{intro}</p>}
			</div>
			{actions && <div className="flex flex-wrap gap-2">{actions}</div>}
		</header>
	);
};
