import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { tenantOfPage } from "../../../tenant.ts";

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await tenantOfPage()).name });

export default async function TenantLayout({ children }: { children: ReactNode }) {
	const { name, branding } = await tenantOfPage();
	return (
		<main style={{ "--hue": Number(branding.hue) }}>
			<header>
				<span className="tenant">{name}</span>
				<code>{(await headers()).get("host")}</code>
			</header>
			{children}
		</main>
	);
}
