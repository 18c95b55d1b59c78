import { CircleCheck, X } from "lucide-react";
import { useSyncExternalStore } from "react";

type Toast = { id: number; text: string; undo?: () => void; topic?: string };

const SHOWN_FOR = 7_000;
let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const set = (next: Toast[]): void => {
	toasts = next;
	for (const listener of listeners) listener();
};

const remove = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/**
 * Says that something was done, with a way back where there is one. What was said before about the same topic goes: its way
 * back would lead to a state from before. So does what has no way back, and at most one older way back stays.
 */
export const say = (text: string, undo?: () => void, topic?: string): void => {
	lastId += 1;
	const id = lastId;
	const others = toasts.filter((toast) => toast.undo && (topic === undefined || toast.topic !== topic));
	set([...others.slice(-1), { id, text, ...(undo ? { undo } : {}), ...(topic === undefined ? {} : { topic }) }]);
	// a way back stays until it is used or dismissed: nobody has to be quick (WCAG 2.2.1)
	if (!undo) setTimeout(() => remove(id), SHOWN_FOR);
};

/** Removes ways back. They belong to the page where something was done, and would cover the next one. */
export const leaveWaysBack = (): void => set(toasts.filter((toast) => !toast.undo));

const subscribe = (listener: () => void): (() => void) => {
	listeners.add(listener);
	return () => listeners.delete(listener);
};

/** Where `say` speaks. Once per page. */
export const Toasts = () => {
	const shown = useSyncExternalStore(subscribe, () => toasts);
	return (
		<div
			role="status"
			className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2 sm:left-auto sm:justify-items-end"
		>
			{shown.map(({ id, text, undo }) => (
				<div
					key={id}
					className="pointer-events-auto flex max-w-md items-center gap-3 rounded-lg border border-hair bg-raised py-2.5 pr-2 pl-4 shadow-float"
				>
					<CircleCheck className="size-4.5 shrink-0 text-good-ink" aria-hidden />
					<span className="text-sm wrap-anywhere">{text}</span>
					{undo && (
						<button
							type="button"
							className="min-h-8 rounded-md px-2 text-sm font-medium text-accent-ink hover:bg-sunken"
							onClick={() => {
								remove(id);
								undo();
							}}
						>
							Undo
						</button>
					)}
					<button
						type="button"
						aria-label="Dismiss"
						className="grid size-8 place-items-center rounded-md text-soft hover:bg-sunken"
						onClick={() => remove(id)}
					>
						<X className="size-4" aria-hidden />
					</button>
				</div>
			))}
		</div>
	);
};
