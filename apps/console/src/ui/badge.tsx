import type { ReactNode } from "react";

type Tone = "neutral" | "good" | "warn" | "danger" | "accent";

const TONES: Record<Tone, string> = {
	neutral: "bg-sunken text-ink",
	good: "bg-good-soft text-good-ink",
	warn: "bg-warn-soft text-warn-ink",
	danger: "bg-danger-soft text-danger-ink",
	accent: "bg-accent-soft text-accent-ink",
};

export const Badge = ({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) => (
	<span
		className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
	>
		{children}
	</span>
);
