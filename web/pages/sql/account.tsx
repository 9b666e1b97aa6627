import { hintOf, type KeptKey } from "../../lib/api/key.ts";
import { read } from "../../lib/api/request.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { ago, count, filed } from "../../lib/text/format.ts";
import { leftInWords } from "./run.ts";
import type { Schema } from "./schema.ts";
import type { Ran, Statement } from "./statement.ts";

interface LimitsProps {
	schema: Schema | undefined;
	kept: KeptKey | undefined;
	/** RateLimit of the last answer. */
	left: string | undefined;
}

/** What a statement may take, what it costs, and on whose account it runs. */
export function Limits({ schema, kept, left }: LimitsProps) {
	const { data: pricing } = useRead("pricing", (signal) => read("getPricingInfo", "/pricing-info", {}, signal));
	const limits = schema?.limits;
	return (
		<section aria-labelledby="limits">
			<h2 id="limits">Limits and price</h2>
			<ul>
				<li>
					{kept === undefined ? (
						<>
							Statements of this page run without a key. With <a href="/account">a key of yours</a>, its plan's limits
							apply too.
						</>
					) : (
						<>
							Statements of this page run with your key <code>{hintOf(kept.key)}</code> and count as queries of{" "}
							<a href="/account">your plan</a>.
						</>
					)}
					{left !== undefined && ` Left after the last one: ${leftInWords(left)}.`}
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
						Where payment is asked for, a statement without a key costs $
						{pricing.pricing_by_tier.pro.price_usd.toFixed(2)}. {pricing.notes[0]}
					</li>
				)}
			</ul>
		</section>
	);
}

interface HistoryProps {
	history: Ran[];
	use(statement: Statement): void;
	clear(): void;
}

/** What ran in this browser, to be taken up again. */
export const HistoryList = ({ history, use, clear }: HistoryProps) => (
	<section aria-labelledby="history">
		<h2 id="history">History</h2>
		{history.length === 0 ? (
			<p class="soft">Statements that you run are listed here. They stay in this browser.</p>
		) : (
			<>
				<ol class="history">
					{history.map((ran) => (
						<li key={`${ran.at} ${ran.database}`}>
							<button type="button" class="name" onClick={() => use(ran)}>
								{filed(ran.sql.replace(/\s+/g, " "), 140)}
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
	</section>
);
