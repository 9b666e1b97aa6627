/** The registry: every operation and event by name, and the types derived from it. */
import type { z } from "zod";
import * as billingEvents from "./events/billing.ts";
import { type EventShape, publicPublishers } from "./events/event.ts";
import * as gatewayEvents from "./events/gateway.ts";
import * as queueIngestEvents from "./events/queue-ingest.ts";
import * as scoringEvents from "./events/scoring.ts";
import * as signalsEvents from "./events/signals.ts";
import type { Json, OperationShape, Owner } from "./operation.ts";
import * as access from "./operations/access/access.ts";
import * as billing from "./operations/access/billing.ts";
import * as oauth from "./operations/access/oauth.ts";
import * as payments from "./operations/access/payments.ts";
import * as receipts from "./operations/access/receipts.ts";
import * as datacenters from "./operations/datasets/datacenters.ts";
import * as dg from "./operations/datasets/dg.ts";
import * as grid from "./operations/datasets/eia860.ts";
import * as market from "./operations/datasets/market.ts";
import * as capital from "./operations/developers/capital.ts";
import * as developers from "./operations/developers/developers.ts";
import * as discovery from "./operations/discovery.ts";
import * as health from "./operations/health.ts";
import * as archive from "./operations/history/archive.ts";
import * as changes from "./operations/history/changes.ts";
import * as history from "./operations/history/history.ts";
import * as map from "./operations/projects/map.ts";
import * as pois from "./operations/projects/pois.ts";
import * as projects from "./operations/projects/projects.ts";
import * as resolving from "./operations/projects/resolve.ts";
import * as summaries from "./operations/projects/summaries.ts";
import * as disputes from "./operations/quality/disputes.ts";
import * as integrity from "./operations/quality/integrity.ts";
import * as provenance from "./operations/quality/provenance.ts";
import * as reconciliation from "./operations/quality/reconciliation.ts";
import * as sourceContracts from "./operations/quality/source-contracts.ts";
import * as query from "./operations/query/query.ts";
import * as savedQueries from "./operations/query/saved-queries.ts";
import * as credits from "./operations/scores/credits.ts";
import * as scoredLists from "./operations/scores/scored-lists.ts";
import * as scores from "./operations/scores/scores.ts";
import * as deals from "./operations/signals/deals.ts";
import * as filings from "./operations/signals/filings.ts";
import * as news from "./operations/signals/news.ts";
import * as watchlists from "./operations/subscriptions/watchlists.ts";
import * as webhooks from "./operations/subscriptions/webhooks.ts";
import type { PlanName } from "./vocabulary.ts";

/** The operations by resource, as documented. */
export const resources = {
	projects: { ...projects, ...pois, ...summaries },
	map,
	developers,
	disputes,
	scores: { ...scores, ...scoredLists },
	credits,
	capital,
	news,
	filings,
	deals,
	dg,
	changes,
	history,
	provenance,
	market,
	datacenters,
	grid,
	query,
	savedQueries,
	archive,
	webhooks,
	watchlists,
	access: { ...access, ...receipts },
	billing: { ...billing, ...oauth, ...payments },
	health: { ...health, ...integrity },
	reconciliation,
	resolving,
	sourceContracts,
	discovery,
} as const satisfies Record<string, Record<string, OperationShape>>;
type Resources = typeof resources;

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type Declared = Intersection<Resources[keyof Resources]>;
export type Operations = { [N in keyof Declared]: Declared[N] };
export const operations = Object.assign({}, ...Object.values(resources)) as Operations;
export type OperationName = keyof Operations;

export const events = {
	...queueIngestEvents,
	...signalsEvents,
	...scoringEvents,
	...billingEvents,
	...gatewayEvents,
} as const satisfies Record<string, EventShape>;
export type Events = typeof events;
export type EventName = keyof Events;

/** Events that consumers outside the system may subscribe to. */
export const openEvents: readonly { name: EventName; declared: EventShape }[] = Object.entries<EventShape>(events)
	.filter(([, { publisher }]) => publicPublishers.includes(publisher))
	.map(([name, declared]) => ({ name: name as EventName, declared }));

export type Params<N extends OperationName> = z.output<Operations[N]["params"]>;
export type ParamsInput<N extends OperationName> = z.input<Operations[N]["params"]>;
export type Reply<N extends OperationName> = z.output<Operations[N]["reply"]>;

/** Operations that respond with server-sent events. */
export type EventStreamName = {
	[N in OperationName]: Operations[N] extends { eventStream: object } ? N : never;
}[OperationName];

/** Names of the operations of `O`, except event streams, which the gateway serves itself. */
export type OwnedBy<O extends Owner> = Exclude<
	{ [N in OperationName]: Operations[N]["owner"] extends O ? N : never }[OperationName],
	EventStreamName
>;

type Streamed<N extends OperationName> = Operations[N] extends { streamed: true } ? true : false;

/** The context that a handler receives in addition to its parameters. The signal fires when the caller stops waiting or disconnects. */
export interface RequestContext {
	signal: AbortSignal;
	/** The newest data version of the owner that the caller has received. A reply must not come from an older snapshot. */
	knownVersion?: number | undefined;
	/** Sets the headers of a streamed reply. Called before the first chunk, and again at the end with the final values. */
	head?: (headers: Record<string, string>) => void;
	/** Keeps a streamed reply alive while the next chunk is being prepared. */
	progress?: () => void;
	/** In services other than the gateway: the account, for operations with `needsKey`. */
	accountId?: number | undefined;
	plan?: PlanName | undefined;
	/** In the gateway only: the account of the request's key, if it has one. */
	caller?: {
		keyId: number;
		accountId: number;
		plan: PlanName;
		monthlyQueries: number | null;
		perMinute: number | null;
		/** Limit of this key alone for a day (UTC). */
		dailyQueries: number | null;
	};
	/**
	 * In the gateway only: the request's headers, the address under which rate limits count it, whether it carries a payment, and the address at
	 * which the caller reaches the service.
	 */
	http?: {
		headers: Record<string, string | string[] | undefined>;
		address: string;
		loopback?: boolean;
		isPaid?: boolean;
		site?: string;
	};
}

export interface SerializedReply<R> {
	/** Text, or UTF-8 bytes for long replies, so that PostgreSQL's output need not be converted. */
	json: Json<R> | Uint8Array;
	headers?: Record<string, string>;
}

/** A reply and the data version of its snapshot. */
export interface Versioned<R> extends SerializedReply<R> {
	dataVersion: number;
}

export type Handler<N extends OperationName> =
	Streamed<N> extends true
		? (params: Params<N>, context: RequestContext) => AsyncIterable<string | Uint8Array>
		: (params: Params<N>, context: RequestContext) => Promise<ReplyOf<N>>;

/** The gateway's own replies have no data version. */
type ReplyOf<N extends OperationName> = Operations[N]["owner"] extends "gateway"
	? SerializedReply<Reply<N>>
	: Versioned<Reply<N>>;

/** The type of any handler, for code that treats all operations alike. */
export type PlainHandler = (params: object, context: RequestContext) => Promise<Versioned<unknown>>;
export type StreamedHandler = (params: object, context: RequestContext) => AsyncIterable<string | Uint8Array>;

/** Handlers for exactly the operations of `O`: a missing or extra handler does not compile. */
export type Handlers<O extends Owner> = { [N in OwnedBy<O>]: Handler<N> };

export function ownedBy<O extends Owner>(owner: O): OwnedBy<O>[] {
	return (Object.keys(operations) as OperationName[]).filter(
		(name): name is OwnedBy<O> => operations[name].owner === owner && !("eventStream" in operations[name]),
	);
}

export const requestSubject = (name: OperationName): string => `rpc.${operations[name].owner}.${name}`;
/** Subject of plain messages with the owner's data version, which are sent when it is raised and as a heartbeat. */
export const versionSubject = (owner: Owner): string => `version.${owner}`;

export type { Json, OperationShape, Owner };
