import type { Reply } from "#libs/contract/index.ts";
import { Figures, Section } from "../../lib/elements/page.tsx";
import { Metered, Table } from "../../lib/elements/table.tsx";
import { count, safeText } from "../../lib/text/format.ts";

const resetFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const limit = (most: number | null): string => (most === null ? "unlimited" : count(most));

/** The account's usage this month, by day and by operation, and the remaining queries. */
export function Usage({ usage }: { usage: Reply<"getUsage"> }) {
	const { plan, month, used, monthly_queries, remaining, resets_at, per_minute, last_24_hours, notices } = usage;
	const most = Math.max(1, ...usage.by_day.map(({ requests }) => requests));
	return (
		<Section id="usage" title="Plan and usage">
			{notices?.map(({ webhook_id, url, reason }) => (
				<p class="failure" key={webhook_id}>
					The webhook to {safeText(url, 100)} is disabled: {safeText(reason)}
				</p>
			))}
			<Figures
				figures={[
					["Plan", plan],
					[
						`Queries in ${month}`,
						<>
							{count(used)} <small>of {limit(monthly_queries)}</small>
						</>,
						"used",
					],
					["Left", limit(remaining), "remaining"],
					["Requests a minute", limit(per_minute)],
					["Requests in 24 hours", count(last_24_hours), "last_24_hours"],
				]}
			/>
			{monthly_queries !== null && <meter min={0} max={monthly_queries} value={used} aria-hidden="true" />}
			<p class="soft">
				The month starts again on {resetFormat.format(new Date(resets_at))} UTC. Free calls do not count.
			</p>
			{usage.by_day.length === 0 ? (
				<p>No request of this month is in the ledger yet; it follows by a few seconds.</p>
			) : (
				<div class="columns">
					<Table
						caption="By day (UTC)"
						rows={usage.by_day.toReversed()}
						attributes={({ day }) => ({ "data-day": day })}
						columns={[
							["Day", ({ day, requests }) => <Metered text={day} value={requests} most={most} />, "day"],
							["Requests", ({ requests }) => count(requests), "number"],
							["Counted", ({ counted }) => count(counted), "number"],
						]}
					/>
					<Table
						caption="By operation"
						rows={usage.by_operation}
						attributes={({ operation }) => ({ "data-operation": operation })}
						columns={[
							["Operation", ({ operation }) => operation],
							["Requests", ({ requests }) => count(requests), "number"],
							["Counted", ({ counted }) => count(counted), "number"],
						]}
					/>
				</div>
			)}
		</Section>
	);
}
