export {
	type CallOptions,
	type Client,
	createClient,
	type EventOptions,
	type FollowOptions,
	type ListName,
	type OperationName,
	type Params,
	type Reply,
	type Row,
} from "./client.ts";
export type * from "./contract.ts";
export { ApiError, type FieldProblem, SpendCapError } from "./errors.ts";
export type { ServerEvent } from "./events.ts";
export type { Payment, TransportOptions } from "./transport.ts";
export { verifyWebhook, type WebhookHeaders, type WebhookOptions } from "./webhooks.ts";
