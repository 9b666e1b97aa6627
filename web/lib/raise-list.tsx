import { filed } from "./format.ts";
import { Head, number } from "./head.tsx";
import { dollars } from "./quantity.ts";
import { Scroll } from "./scroll.tsx";

export interface Raise {
	filing_date: string;
	issuer_name: string;
	total_offering_amount: number | null;
	total_amount_sold: number | null;
	is_amendment: 0 | 1;
	is_latest: boolean;
}

/** Exempt offerings (Form D), the newest first; of an offering and its amendments the amounts of one count. */
export const RaiseList = ({ raises }: { raises: readonly Raise[] }) => (
	<Scroll label="Exempt offerings">
		<table>
			<Head columns={["Filed", "Issuer", number("Sold"), number("Offered")]} />
			<tbody>
				{raises.map((raise, at) => (
					<tr key={`${raise.filing_date} ${raise.issuer_name} ${at}`} data-raise={raise.issuer_name}>
						<th scope="row" class="day">
							{raise.filing_date}
						</th>
						<td>
							{filed(raise.issuer_name, 80)}
							{raise.is_amendment === 1 && <span class="soft"> (amendment)</span>}
							{!raise.is_latest && <span class="soft"> (restated since)</span>}
						</td>
						<td class="number">{raise.total_amount_sold === null ? "–" : dollars(raise.total_amount_sold)}</td>
						<td class="number">
							{raise.total_offering_amount === null ? "indefinite" : dollars(raise.total_offering_amount)}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</Scroll>
);
