import type { Reply } from "#libs/contract/index.ts";
import { Head, number } from "../../lib/elements/table.tsx";
import { count, filed } from "../../lib/text/format.ts";

type UsageOf = Reply<"getUsage">;

const moment = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const limit = (most: number | null): string => (most === null ? "unlimited" : count(most));

/** What the account used this month, by day and by operation, and what its plan leaves. */
export function Usage({ usage }: { usage: UsageOf }) {
	const { plan, month, used, monthly_queries, remaining, resets_at, per_minute, last_24_hours, notices } = usage;
	return (
		<section aria-labelledby="usage">
			<h2 id="usage">Plan and usage</h2>
			{notices?.map(({ webhook_id, url, reason }) => (
				<p class="failure" key={webhook_id}>
					The webhook to {filed(url, 100)} is disabled: {filed(reason, 200)}
				</p>
			))}
			<dl class="figures">
				<div>
					<dt>Plan</dt>
					<dd>{plan}</dd>
				</div>
				<div>
					<dt>Queries in {month}</dt>
					<dd data-figure="used">
						{count(used)} <small>of {limit(monthly_queries)}</small>
					</dd>
				</div>
				<div>
					<dt>Left</dt>
					<dd data-figure="remaining">{limit(remaining)}</dd>
				</div>
				<div>
					<dt>Requests a minute</dt>
					<dd>{limit(per_minute)}</dd>
				</div>
				<div>
					<dt>Answered in 24 hours</dt>
					<dd data-figure="last_24_hours">{count(last_24_hours)}</dd>
				</div>
			</dl>
			{monthly_queries !== null && <meter min={0} max={monthly_queries} value={used} aria-hidden="true" />}
			<p class="soft">The month begins anew on {moment.format(new Date(resets_at))} UTC. Free calls do not count.</p>
			{usage.by_day.length === 0 ? (
				<p>No request of this month is in the ledger yet; it follows by a few seconds.</p>
			) : (
				<div class="columns">
					<Days days={usage.by_day} />
					<Operations operations={usage.by_operation} />
				</div>
			)}
		</section>
	);
}

function Days({ days }: { days: UsageOf["by_day"] }) {
	const most = Math.max(1, ...days.map(({ requests }) => requests));
	return (
		<table>
			<caption>By day (UTC)</caption>
			<Head columns={["Day", number("Requests"), number("Counted")]} />
			<tbody>
				{days.toReversed().map(({ day, requests, counted }) => (
					<tr key={day} data-day={day}>
						<th scope="row" class="day">
							{day}
							<meter min={0} max={most} value={requests} aria-hidden="true" />
						</th>
						<td class="number">{count(requests)}</td>
						<td class="number">{count(counted)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const Operations = ({ operations }: { operations: UsageOf["by_operation"] }) => (
	<table>
		<caption>By operation</caption>
		<Head columns={["Operation", number("Requests"), number("Counted")]} />
		<tbody>
			{operations.map(({ operation, requests, counted }) => (
				<tr key={operation} data-operation={operation}>
					<th scope="row">{operation}</th>
					<td class="number">{count(requests)}</td>
					<td class="number">{count(counted)}</td>
				</tr>
			))}
		</tbody>
	</table>
);
