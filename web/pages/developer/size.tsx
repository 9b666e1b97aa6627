import { pageRows } from "#libs/contract/vocabulary.ts";
import { walk } from "../../lib/api/all-pages.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Lines } from "../../lib/charts/line.tsx";
import { Head, number, Scroll } from "../../lib/elements/table.tsx";
import { count, power } from "../../lib/text/format.ts";

/** Of the line. */
const mostPages = 4;
/** One day is no line. */
const leastDays = 2;

/** Its portfolio on each day on which a list changed it. */
export function Size({ id }: { id: number }) {
	const path = `/developers/${id}/history`;
	// The newest days, where there are more.
	const query = { order: "desc", per_page: pageRows };
	const state = useRead(path, (signal) =>
		walk(async (page) => {
			const { data, meta } = await read("getDeveloperHistory", path, { ...query, page }, signal);
			return { rows: data, total: meta.total };
		}, mostPages),
	);
	const days = state.data?.rows;
	if (days !== undefined && days.length < leastDays) return null;
	const oldestFirst = days?.toReversed() ?? [];
	return (
		<section aria-labelledby="size">
			<h2 id="size">Portfolio over time</h2>
			<Failed state={state} />
			{days && (
				<Lines
					title="Listed capacity"
					label={`Capacity still in a queue and operating, from ${oldestFirst[0]?.day} to ${days[0]?.day}`}
					series={[
						{
							name: "Still in a queue",
							points: oldestFirst.map(({ day, active_capacity_mw }) => ({
								...{ day, value: active_capacity_mw, note: `${day}: ${power(active_capacity_mw)} still in a queue` },
							})),
						},
						{
							name: "Operating",
							points: oldestFirst.map(({ day, operating_capacity_mw }) => ({
								...{ day, value: operating_capacity_mw, note: `${day}: ${power(operating_capacity_mw)} operating` },
							})),
						},
					]}
					steps
					until={new Date().toISOString().slice(0, 10)}
					most={1}
					text={power}
					table={
						<Scroll label="Portfolio by day">
							<table>
								<Head
									columns={["Day", number("Requests"), number("In a queue"), number("Operating"), number("Withdrawn")]}
								/>
								<tbody>
									{days.map((one) => (
										<tr key={one.day} data-size={`${one.day} ${one.active_capacity_mw}`}>
											<th scope="row" class="day">
												{one.day}
											</th>
											<td class="number">{count(one.total_projects)}</td>
											<td class="number">
												{count(one.active_projects)} ({power(one.active_capacity_mw)})
											</td>
											<td class="number">
												{count(one.operational_projects)} ({power(one.operating_capacity_mw)})
											</td>
											<td class="number">{count(one.withdrawn_projects)}</td>
										</tr>
									))}
								</tbody>
							</table>
						</Scroll>
					}
				/>
			)}
		</section>
	);
}
