import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

type DialogProps = { title: string; intro?: ReactNode; isOpen: boolean; onClose: () => void; children: ReactNode };

/**
 * A dialog on the browser's own element, which keeps the focus inside, closes with Escape and returns the focus. Unlike most
 * libraries it injects no style, which the content security policy forbids.
 */
export const Dialog = ({ title, intro, isOpen, onClose, children }: DialogProps) => {
	const ref = useRef<HTMLDialogElement>(null);
	const id = useId();
	useLayoutEffect(() => {
		const dialog = ref.current;
		if (!isOpen || !dialog) return;
		const opener = findOpener();
		dialog.showModal();
		return () => {
			dialog.close();
			// the browser does not know it if a menu was in between, which is gone
			if (document.activeElement === document.body) opener?.focus();
		};
	}, [isOpen]);
	return (
		<dialog
			ref={ref}
			aria-labelledby={id}
			onClose={() => ref.current?.open || onClose()}
			className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-lg border border-hair bg-raised p-0 text-ink shadow-float backdrop:bg-black/45"
		>
			{isOpen && (
				<div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
					<header className="flex items-start justify-between gap-4">
						<div className="grid min-w-0 gap-1">
							<h2 id={id} className="text-lg wrap-anywhere">
								{title}
							</h2>
							{intro && <div className="text-sm text-pretty text-soft">{intro}</div>}
						</div>
						<button
							type="button"
							aria-label="Close"
							onClick={onClose}
							className="-m-1.5 grid size-8 shrink-0 place-items-center rounded-md text-soft hover:bg-sunken"
						>
							<X className="size-4.5" aria-hidden />
						</button>
					</header>
					{children}
				</div>
			)}
		</dialog>
	);
};

/** What has the focus: for an item of a menu, the button of the menu. */
const findOpener = (): HTMLElement | null => {
	const active = document.activeElement;
	const menu = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
	const opener = menu ? document.getElementById(menu) : active;
	return opener instanceof HTMLElement ? opener : null;
};

/** The buttons at the end of a dialog. The action stands last. On a phone they share the width. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
	<div className="flex flex-wrap justify-end gap-2 pt-1 max-sm:[&>button]:min-h-10 max-sm:[&>button]:grow">
		{children}
	</div>
);
