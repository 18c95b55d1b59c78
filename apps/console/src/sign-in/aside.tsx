import { type ReactNode, useEffect } from "react";

/** The frame of pages outside of the console: sign-in, and what comes before a page can be shown. */
export const Aside = ({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) => {
	useEffect(() => {
		document.title = `${title} · Console`;
	}, [title]);
	return (
		<main className="grid min-h-dvh place-items-center px-4 py-10">
			<div className="grid w-full max-w-sm gap-6">
				<header>
					<img src="/console/favicon.svg" alt="" className="mb-6 size-10" />
					<h1 className="pb-1 text-2xl">{title}</h1>
					{intro && <div className="text-pretty text-soft">{intro}</div>}
				</header>
				{children}
			</div>
		</main>
	);
};
