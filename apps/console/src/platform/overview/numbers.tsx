import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Platform } from "../../api/platform.ts";
import { Time } from "../../ui/time.tsx";

const count = new Intl.NumberFormat("en");
/** Above, the number of tenants is PostgreSQL's estimate. */
const COUNTED = 10_000;

const sum = (platform: Platform, ...names: ("succeeded" | "refused" | "failed")[]): number =>
	platform.process.signIns.methods.reduce(
		(total, method) => total + names.reduce((part, name) => part + method[name], 0),
		0,
	);

/** The four numbers to look at first. */
export const Numbers = ({ platform }: { platform: Platform }) => {
	const { tenantsEstimate, process } = platform;
	const { milliseconds } = process.signIns;
	const since = (
		<>
			this process, started <Time at={process.startedAt} />
		</>
	);
	return (
		<dl className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-4">
			<Figure
				name="Tenants"
				value={`${tenantsEstimate < COUNTED ? "" : "about "}${count.format(tenantsEstimate)}`}
				note={
					<Link to="/tenants" className="inline-flex min-h-6 items-center font-medium text-accent-ink hover:underline">
						Show all
					</Link>
				}
			/>
			<Figure name="Sign-ins" value={count.format(sum(platform, "succeeded"))} note={since} />
			<Figure name="Refused or failed" value={count.format(sum(platform, "refused", "failed"))} note={since} />
			<Figure
				name="Sign-in time, median"
				value={milliseconds ? `${count.format(milliseconds.p50)} ms` : "–"}
				note={
					milliseconds
						? `p95 ${count.format(milliseconds.p95)} ms · p99 ${count.format(milliseconds.p99)} ms`
						: "no sign-in since the process started"
				}
			/>
		</dl>
	);
};

const Figure = ({ name, value, note }: { name: string; value: string; note: ReactNode }) => (
	<div className="grid content-start gap-1 rounded-lg border border-hair bg-surface px-5 py-4 shadow-card">
		<dt className="text-sm text-soft">{name}</dt>
		<dd className="text-2xl font-semibold tabular-nums">{value}</dd>
		<dd className="text-sm text-soft">{note}</dd>
	</div>
);
