/** Words in company names of the power industry: words that keys omit, abbreviations that are written out, and words that are evidence. */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Forms of incorporation. They can also occur inside a name ("Calpine Corp - Hidalgo"). */
export const legalForms = words(`
	llc inc incorporated corporation company companies lp llp lllp llllp pllc plc ltd limited partnership
	ag sa se nv bv ab as asa spa srl gmbh kg pbc
`);

/** Words that are removed from the end of a name, one after the other. */
export const legalTails: ReadonlySet<string> = new Set([
	...legalForms,
	...words("holdings holding holdco group partners trust the"),
]);

/** Tails that distinguish companies: "Ohio Power Partners" is not Ohio Power. */
export const distinctiveTails = words("partners trust");

/** Words too common to distinguish companies. */
export const genericWords = words(`
	energy power solar wind storage bess battery renewable renewables clean green resources development developments
	generation electric utility services north america american americas us usa national partners capital
	infrastructure solutions new
`);

/** Generic words that a company may add to its name or omit. Any other generic word means a different company. */
export const looseWords = words(
	"energy renewable renewables resources development developments north america american americas us usa partners",
);

/** Words in a plant's name other than its place. */
export const technologyWords = words(
	"solar wind storage bess ess battery energy power renewable renewables hydro nuclear pv photovoltaic hybrid",
);

/** Technologies that show that a name is a plant's, even without "farm" or a numeral. */
export const plantTechnologies = words("solar wind storage bess ess battery hydro nuclear pv photovoltaic hybrid");

/** Words that, after a technology, show that the name is a plant's. */
export const plantWords = words("project projects farm park center station facility plant");

export const facilityWords: ReadonlySet<string> = new Set([
	...plantWords,
	...words("lessee lessor interconnect interconnection holdings holdco devco propco class operating"),
]);

/** Facility words that any company's name may have: without a plant's technology, they do not show that the name is a project's. */
export const corporateWords = words("holdings holdco devco operating");

export const phaseWords = words("phase unit expansion ext extension");

export const energyWords: ReadonlySet<string> = new Set([
	...technologyWords,
	...words(`
		windfarm windpower hydropower generation generating electric grid biomass geothermal offshore onshore gas cogen
		cogeneration peaker turbine microgrid transmission
	`),
]);

/** Words about energy or project development. Next to one of them, an ordinary word may be a brand. */
export const contextWords: ReadonlySet<string> = new Set([
	...energyWords,
	...words(`
		interconnection interconnect community distributed development developer devco fund lessee lessor tenant
		operating operators asset assets finance procurement
	`),
]);

/** Kinds of businesses whose names are also those of plants' sites: "Nexamp School Street Solar". */
export const siteWords = words(
	"university college school schools hospital hospitals church stadium airport bank oil foundation hotel",
);

/** Words that, after a brand, show that the name is that of a different company with the same brand, outside the power industry. */
export const otherTrades: ReadonlySet<string> = new Set([
	...siteWords,
	...words(`
		cooperative ministries employees banks banking bancorp bancshares mortgage insurance assurance
		brands signs media entertainment broadcasting publishing studios films music records software games toys sports
		techsystems aerospace airlines aviation trucking motors automotive yachts shipping
		petroleum petrochemicals refining drilling chemical chemicals polymers polimeros plastics ceramics coatings
		textiles apparel cosmetics jewelry furniture
		oncology pharma pharmaceutical pharmaceuticals therapeutics biosciences biotech genetics genomics diagnostics dental
		medical health healthcare
		foods beverages brewing restaurant restaurants hotels resorts casino supermarkets homes apartments
	`),
	"credit union",
]);

/** Words that, next to "gas", mean that it is burned to generate power. */
export const gasWords = words(
	"power generation generating plant plants turbine turbines peaker cogen cogeneration fired station wind solar electric",
);

/** Words for kinds of organizations, which do not make two names similar. */
export const organizationWords = words(`
	cooperative association authority agency board city town village county municipal public district department member
	service management marketing light gas generating transmission industries power
`);

/** Parses pairs of a word and its meaning, which are separated by commas. */
const pairs = (list: string): ReadonlyMap<string, string> =>
	new Map(
		list.split(",").map((pair): [string, string] => {
			const [word = "", ...meaning] = pair.trim().split(" ");
			return [word, meaning.join(" ")];
		}),
	);

/** Abbreviations that are written out before names are compared. Abbreviations that are also words (El, Gen, In, Me) are not listed. */
export const abbreviations = pairs(
	`co company,cos companies,corp corporation,pwr power,elec electric,elect electric,lt light,lgt light,svc service,
	serv service,svcs services,coop cooperative,coops cooperative,assn association,assoc association,auth authority,
	pub public,util utility,utils utilities,dist district,dept department,mun municipal,muni municipal,agny agency,
	mgmt management,dev development,devel development,developement development,ctr center,centre center,
	illum illuminating,engy energy,prtnrs partners,admin administration,natl national,intl international,proj project,
	mtn mountain,sys system,ny new york`,
);

/** Postal codes. In a name they mean the state only after "of" ("Public Service Co of NM"), or alone in brackets. */
export const states = pairs(
	`al alabama,ak alaska,az arizona,ar arkansas,ca california,co colorado,ct connecticut,de delaware,fl florida,ga georgia,
	hi hawaii,id idaho,il illinois,in indiana,ia iowa,ks kansas,ky kentucky,la louisiana,me maine,md maryland,
	ma massachusetts,mi michigan,mn minnesota,ms mississippi,mo missouri,mt montana,ne nebraska,nv nevada,nh new hampshire,
	nj new jersey,nm new mexico,ny new york,nc north carolina,nd north dakota,oh ohio,ok oklahoma,or oregon,pa pennsylvania,
	ri rhode island,sc south carolina,sd south dakota,tn tennessee,tx texas,ut utah,vt vermont,va virginia,wa washington,
	wv west virginia,wi wisconsin,wy wyoming`,
);

/** Texts that stand in place of a name. */
export const placeholders = words(
	"confidential masked redacted withheld undisclosed unknown tbd tba na none null private various pending",
);
