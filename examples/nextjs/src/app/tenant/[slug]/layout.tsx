import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { tenantOf } from "../../../tenant.ts";

type Props = { params: Promise<{ slug: string }>; children: ReactNode };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
	title: (await tenantOf(params)).name,
});

export default async function TenantLayout({ params, children }: Props) {
	const { name, metadata } = await tenantOf(params);
	return (
		<main style={{ "--hue": Number(metadata?.hue ?? 0) }}>
			<header>
				<span className="tenant">{name}</span>
				<code>{(await headers()).get("host")}</code>
			</header>
			{children}
		</main>
	);
}
