import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { leaveWaysBack } from "../ui/toasts.tsx";
import { consoleName } from "./navigation.ts";
import { Sidebar } from "./sidebar.tsx";
import { useViewer } from "./use-viewer.ts";
import { ViewerMenu } from "./viewer-menu.tsx";

/** The frame of every page: navigation at the side, or behind a button on a phone. */
export const Shell = () => {
	const drawer = useRef<HTMLDialogElement>(null);
	const main = useRef<HTMLElement>(null);
	const viewer = useViewer();
	const path = useRouterState({ select: ({ location }) => location.pathname });
	const shown = useRef(path);
	useEffect(() => {
		if (shown.current === path) return;
		shown.current = path;
		drawer.current?.close();
		leaveWaysBack();
		scrollTo(0, 0);
		// a new page is announced by its heading
		main.current?.querySelector("h1")?.focus({ preventScroll: true });
	}, [path]);
	return (
		<>
			<a
				href="#main"
				className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2"
			>
				Skip to content
			</a>
			<div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
				<aside className="sticky top-0 z-20 hidden h-dvh flex-col border-r border-hair bg-surface lg:flex">
					<Sidebar />
				</aside>
				<header className="sticky top-0 z-30 flex items-center justify-between border-b border-hair bg-surface/95 px-3 py-1.5 lg:hidden">
					<div className="flex min-w-0 items-center gap-1.5">
						<button
							type="button"
							aria-label="Open navigation"
							onClick={() => drawer.current?.showModal()}
							className="grid size-10 shrink-0 place-items-center rounded-md hover:bg-sunken"
						>
							<MenuIcon className="size-5" aria-hidden />
						</button>
						<span className="truncate font-semibold">{consoleName(viewer)}</span>
					</div>
					<ViewerMenu isCompact />
				</header>
				<main ref={main} id="main" className="mx-auto w-full max-w-6xl px-4 pt-6 pb-24 sm:px-8 sm:pt-9">
					<Outlet />
				</main>
			</div>
			<dialog
				ref={drawer}
				aria-label="Navigation"
				onClick={(event) => event.target === drawer.current && drawer.current.close()}
				onKeyDown={() => undefined}
				className="m-0 h-dvh max-h-none w-64 max-w-[85vw] border-r border-hair bg-surface p-0 text-ink backdrop:bg-black/45 open:flex open:flex-col"
			>
				<Sidebar />
			</dialog>
		</>
	);
};
