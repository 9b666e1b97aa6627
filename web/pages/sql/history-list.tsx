import { ago, filed } from "../../lib/format.ts";
import type { Ran } from "./history.ts";
import type { Statement } from "./statement.ts";

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
