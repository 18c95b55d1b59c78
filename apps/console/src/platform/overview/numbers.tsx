import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Platform } from "../../api/platform.ts";
import { Time } from "../../ui/time.tsx";

const count = new Intl.NumberFormat("en");
const seconds = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
/** Short enough for a small card: 420 ms, 1.75 s. */
const inTime = (milliseconds: number): string =>
	milliseconds < 1_000 ? `${count.format(milliseconds)} ms` : `${seconds.format(milliseconds / 1_000)} s`;
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
			Process started <Time at={process.startedAt} />
		</>
	);
	return (
		<dl className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3 sm:gap-4">
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
				name="Median sign-in"
				value={milliseconds ? inTime(milliseconds.p50) : "–"}
				note={
					milliseconds ? (
						<span className="flex flex-wrap gap-x-2">
							<span>p95 {inTime(milliseconds.p95)}</span>
							<span>p99 {inTime(milliseconds.p99)}</span>
						</span>
					) : (
						"No sign-in since the process started"
					)
				}
			/>
		</dl>
	);
};

const Figure = ({ name, value, note }: { name: string; value: string; note: ReactNode }) => (
	<div className="grid content-start gap-1 rounded-lg border border-hair bg-surface px-4 py-3.5 sm:px-5 sm:py-4 shadow-card">
		<dt className="text-sm text-soft">{name}</dt>
		<dd className="text-2xl font-semibold tabular-nums">{value}</dd>
		<dd className="text-sm text-soft">{note}</dd>
	</div>
);
