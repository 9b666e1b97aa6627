import { hintOf, type StoredKey } from "../../lib/api/key.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { ago, count, safeText } from "../../lib/text/format.ts";
import { describeRateLimit } from "./run.ts";
import type { Schema } from "./schema.ts";
import type { Ran, Statement } from "./statement.ts";

interface LimitsProps {
	schema: Schema | undefined;
	stored: StoredKey | undefined;
	/** The header `RateLimit` of the last response. */
	left: string | undefined;
}

export function Limits({ schema, stored, left }: LimitsProps) {
	const { data: pricing } = useOperation("getPricingInfo", "/pricing-info");
	const limits = schema?.limits;
	return (
		<Section id="limits" title="Limits and price">
			<ul>
				<li>
					{stored === undefined ? (
						<>
							Statements of this page run without a key. With <a href="/account">your key</a>, its plan's limits apply
							too.
						</>
					) : (
						<>
							Statements of this page run with your key <code>{hintOf(stored.key)}</code> and count as queries of{" "}
							<a href="/account">your plan</a>.
						</>
					)}
					{left !== undefined && ` Remaining after the last statement: ${describeRateLimit(left)}.`}
				</li>
				{limits && (
					<li>
						A statement has at most {count(limits.sql_characters)} characters and {limits.timeout_ms / 1_000} seconds,
						its result at most {count(limits.rows)} rows and {limits.bytes / 1024 / 1024} MiB; {limits.at_once} run at
						the same time.
					</li>
				)}
				{pricing && (
					<li>
						Where payment is required, a statement without a key costs $
						{pricing.pricing_by_tier.pro.price_usd.toFixed(2)}. {pricing.notes[0]}
					</li>
				)}
			</ul>
		</Section>
	);
}

interface HistoryProps {
	history: Ran[];
	use(statement: Statement): void;
	clear(): void;
}

export const HistoryList = ({ history, use, clear }: HistoryProps) => (
	<Section id="history" title="History">
		{history.length === 0 ? (
			<p class="soft">Statements that you run are listed here. They stay in this browser.</p>
		) : (
			<>
				<ol class="history">
					{history.map((ran) => (
						<li key={`${ran.at} ${ran.database}`}>
							<button type="button" class="name" onClick={() => use(ran)}>
								{safeText(ran.sql.replace(/\s+/g, " "), 140)}
							</button>{" "}
							<span class="soft">
								{ran.database}, {ago(ran.at, Date.now())}
							</span>
						</li>
					))}
				</ol>
				<p>
					<button type="button" class="plain" onClick={clear}>
						Clear the history
					</button>
				</p>
			</>
		)}
	</Section>
);
