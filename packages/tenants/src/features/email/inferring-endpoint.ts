import type { Endpoint } from "better-call";
import type { SignInResponse, SignUpBody, SignUpResponse } from "./inferred-types.ts";

/** What an endpoint returns: `Api` is the application's `auth.api`, or unknown. */
type Returned<Kind, Api> = Kind extends "sign-up" ? SignUpResponse<Api> : SignInResponse<Api>;

type GivenTo<Call extends Endpoint> = NonNullable<Parameters<Call>[0]>;

/** The input of the endpoint. A sign-up requires the application's own required fields. */
export type InputFor<Kind, Call extends Endpoint, Api> = Kind extends "sign-up"
	? Omit<GivenTo<Call>, "body"> & { body: SignUpBody<Api> }
	: GivenTo<Call>;

/**
 * An endpoint of this plugin with the application's own types. The engine gives the types of an application to its own
 * endpoints, but not to those of plugins. `this` is `auth.api`, which has the engine's endpoints, so they are read from it.
 */
export type InferringEndpoint<Kind extends "sign-in" | "sign-up", Call extends Endpoint> = {
	<Api>(this: Api, context: InputFor<Kind, Call, Api> & { asResponse: true }): Promise<Response>;
	<Api>(
		this: Api,
		context: InputFor<Kind, Call, Api> & { returnHeaders: true; returnStatus: true },
	): Promise<{ headers: Headers; status: number; response: Returned<Kind, Api> }>;
	<Api>(
		this: Api,
		context: InputFor<Kind, Call, Api> & { returnHeaders: true },
	): Promise<{ headers: Headers; response: Returned<Kind, Api> }>;
	<Api>(
		this: Api,
		context: InputFor<Kind, Call, Api> & { returnStatus: true },
	): Promise<{ status: number; response: Returned<Kind, Api> }>;
	// last, because the client infers from the last one
	<Api>(this: Api, context: InputFor<Kind, Call, Api>): Promise<Returned<Kind, Api>>;
	options: Call["options"];
	path: Call["path"];
};

/** The same endpoint for a client, which has no `auth.api` to read from and names its type instead. */
export type BoundEndpoint<Kind extends "sign-in" | "sign-up", Call extends Endpoint, Api> = {
	(context: InputFor<Kind, Call, Api>): Promise<Returned<Kind, Api>>;
	options: Call["options"];
	path: Call["path"];
};
