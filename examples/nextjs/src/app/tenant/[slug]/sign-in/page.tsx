import { Credentials } from "../../../../components/credentials.tsx";
import { tenantOf } from "../../../../tenant.ts";

export default async function SignIn({ params }: { params: Promise<{ slug: string }> }) {
	return <Credentials action="Sign in" tenant={(await tenantOf(params)).name} />;
}
