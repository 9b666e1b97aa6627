/** Queues a message about an account's usage for each of its enabled webhooks that is subscribed to usage. */
import type { Bus } from "#libs/bus/connect.ts";
import { type Reaction, type RunningReaction, react } from "#libs/bus/events/react.ts";
import { usageReached } from "#libs/contract/events/billing.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { wakeDispatchers } from "../dispatch/rows.ts";

/** A message has the same id whenever its event arrives, so that it is queued once. It has no `seq`, so pending changes are sent before it. */
export const queueUsage: Reaction<typeof usageReached> = {
	service: "subscriptions",
	name: "queue-usage",
	event: usageReached,
	async handler(tx, events) {
		const type = "usage.reached";
		const messages = events.map(({ account_id, occurred_at, plan, month, share, used, monthly_queries }) => ({
			account_id,
			occurred_at,
			key: `${month}_${monthly_queries}_${share}`,
			body: JSON.stringify({ type, timestamp: occurred_at, data: { plan, month, share, used, monthly_queries } }),
		}));
		await tx`
			insert into deliveries (webhook_id, message_id, type, body, state, next_attempt_at, created_at)
			select w.id, 'msg_' || w.id || '_' || m.key, ${type}, m.body, 'pending', m.occurred_at, m.occurred_at
			from jsonb_to_recordset(${JSON.stringify(messages)}::text::jsonb)
					as m (account_id bigint, occurred_at timestamptz, key text, body text)
				join webhooks w on w.account_id = m.account_id and 'usage' = any(w.events) and w.enabled
			order by w.id, m.key
			on conflict (webhook_id, message_id) do nothing`;
		await wakeDispatchers(tx);
	},
};

export const startReactions = async (bus: Bus, sql: Sql): Promise<RunningReaction[]> => [
	await react(bus, sql, queueUsage),
];
