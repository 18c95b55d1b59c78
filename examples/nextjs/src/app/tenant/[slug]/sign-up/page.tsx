import { Credentials } from "../../../../components/credentials.tsx";
import { tenantOf } from "../../../../tenant.ts";

export default async function SignUp({ params }: { params: Promise<{ slug: string }> }) {
	return <Credentials action="Sign up" tenant={(await tenantOf(params)).name} />;
}
