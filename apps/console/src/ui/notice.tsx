import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import { Problem } from "../api/problem.ts";
import { Button } from "./button.tsx";

type NoticeProps = { tone?: "info" | "danger" | "warn"; title?: string; children: ReactNode; actions?: ReactNode };

const TONES = {
	info: "bg-sunken text-ink",
	warn: "bg-warn-soft text-warn-ink",
	danger: "bg-danger-soft text-danger-ink",
};

/** Something to know before going on. `danger` is announced to screen readers at once. */
export const Notice = ({ tone = "info", title, children, actions }: NoticeProps) => {
	const Icon = tone === "info" ? Info : CircleAlert;
	return (
		<div role={tone === "danger" ? "alert" : undefined} className={`flex gap-3 rounded-lg px-4 py-3 ${TONES[tone]}`}>
			<Icon className="mt-0.5 size-4.5 shrink-0" aria-hidden />
			<div className="grid min-w-0 gap-1">
				{title && <p className="font-medium">{title}</p>}
				<div className="text-sm wrap-anywhere">{children}</div>
				{actions && <div className="flex flex-wrap gap-2 pt-1.5">{actions}</div>}
			</div>
		</div>
	);
};

/** Why something could not be loaded or done, in plain words, with the code for whoever looks it up. */
export const ErrorNotice = ({ error, retry }: { error: unknown; retry?: () => void }) => {
	const code = error instanceof Problem ? error.code : null;
	return (
		<Notice tone="danger" actions={retry && <Button onClick={retry}>Try again</Button>}>
			{error instanceof Problem
				? asSentence(error.message)
				: "Something went wrong in this page. Reload it and try again."}
			{code && <span className="block pt-0.5 font-mono text-xs">{code}</span>}
		</Notice>
	);
};

/** The service's messages have no full stop at their end. */
const asSentence = (message: string): string => (/[\p{L}\p{N})]$/u.test(message) ? `${message}.` : message);
