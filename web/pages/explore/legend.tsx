import { words } from "../../lib/format.ts";
import { shades } from "./colours.ts";
import { Swatch } from "./totals.tsx";
import { type Colouring, colourings } from "./view.ts";

/** What the colours and forms of the map say. */
export const Legend = ({ colour, choose }: { colour: Colouring; choose(colour: Colouring): void }) => (
	<details class="legend" open={innerWidth > 700}>
		<summary>Legend</summary>
		<div>
			<label>
				Colour by
				<select value={colour} onChange={({ currentTarget }) => choose(currentTarget.value as Colouring)}>
					{colourings.map((name) => (
						<option key={name} value={name}>
							{words(name)}
						</option>
					))}
				</select>
			</label>
			<ul>
				{shades[colour].map(({ name, colour }) => (
					<li key={name}>
						<Swatch colour={colour} /> {name}
					</li>
				))}
			</ul>
			<ul>
				<li>
					<span class="form cluster" aria-hidden="true" /> Many requests, in the colour of most
				</li>
				<li>
					<span class="form area" aria-hidden="true" /> A county, with requests that are somewhere in it
				</li>
				<li>
					<span class="form dot" aria-hidden="true" /> One request, laid out within its county
				</li>
				<li>
					<span class="form point" aria-hidden="true" /> At coordinates that are filed
				</li>
			</ul>
		</div>
	</details>
);
