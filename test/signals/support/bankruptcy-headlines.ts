/** Headlines, invented in the wording of trade news. Companies are named for the wording alone; none of it need ever have happened. */

const lines = (text: string): string[] => text.trim().split("\n");

/** State as a fact that the company has filed. */
export const filed = lines(`
Pine Gate Renewables files for Chapter 11 bankruptcy protection
Pine Gate Renewables Files for Chapter 11
Pine Gate files for bankruptcy
Pine Gate Renewables has filed for Chapter 11 protection in Texas
Solar developer Pine Gate files voluntary petition for relief under Chapter 11
Sunnova Energy files Ch. 11 petition in Houston
Sunnova files for bankruptcy protection, blames high interest rates
Sunnova Energy International filed for Chapter 11 protection on Sunday
SunPower files for Chapter 11, to sell Blue Raven business
SunPower Files for Bankruptcy Protection – Reuters
SunPower files for chapter-11 bankruptcy
Powin files for bankruptcy in New Jersey
Powin LLC, battery integrator, files for Chapter 11
iSun and twelve affiliates file for Chapter 11
PosiGen files chapter 7 petition after lender pulls out
Meridian Solar files for Chapter 7 liquidation
Solar Mosaic files prepackaged Chapter 11
Solar Mosaic files for prearranged chapter eleven
Lonestar Wind seeks Chapter 11 protection as funding dries up
Lonestar Wind sought bankruptcy protection on Monday
Harvest Renewables seeks protection under Chapter 11 bankruptcy relief
Harvest Renewables enters Chapter 11 with $7 billion of debt
Harvest Renewables has entered insolvency proceedings
Bluefield Storage goes bankrupt
Bluefield Storage went bankrupt overnight, staff say
Bluefield Storage has gone bankrupt
Bluefield Storage falls into insolvency
Ridgeline Power collapses into bankruptcy
Ridgeline Power slides into Chapter 11 after tariff shock
Ridgeline Power forced into bankruptcy by noteholders
Ridgeline Power lands in bankruptcy court protection
Ridgeline Power declares bankruptcy
Tidewater Solar declares itself insolvent
Tidewater Solar declared bankrupt by Dutch bench
Tidewater Solar begins Chapter 11 cases
Tidewater Solar initiates voluntary Chapter 11 proceedings
Breaking: Pine Gate Renewables files for bankruptcy protection
Pine Gate says it has filed for Chapter 11
Pine Gate confirms it filed for Chapter 11
Brookfield-backed Pine Gate files for Chapter 11
Pine Gate, backed by Brookfield and Carlyle, files for Chapter 11
UPDATE 2: Pine Gate files for U.S. bankruptcy protection
Pine Gate Renewables quietly files for insolvency
Pine Gate “files for Chapter 11” — court docket
Renewable developer Pine Gate files for bankruptcy with plans to sell itself to lenders
Solar giant Pine Gate Renewables enters bankruptcy
Pine Gate Renewables, a top US solar developer, files for Chapter 11
Sunnova, one of largest rooftop solar companies, files for bankruptcy
Residential solar company Sunnova Energy files for bankruptcy
Solar company Sunnova files for bankruptcy amid cash crunch
Titan Solar Power files for Chapter 7 bankruptcy
US solar firm SunPower files for Chapter 11 bankruptcy, to sell some assets
Battery maker Northvolt files for bankruptcy in Sweden
Northvolt files for Chapter 11 in US
Powin files for Chapter 11 bankruptcy, plans to continue operations
Lordstown Motors files for bankruptcy, sues Foxconn
Swell Energy abruptly goes into bankruptcy
Kidde-backed startup Ambri files for Chapter 11
Ambri seeks Chapter 11 bankruptcy protection, eyes sale
Meyer Burger US files for chapter 11
Meyer Burger files for insolvency
Solar firms PosiGen and Mosaic file for bankruptcy
`);

/** Do not: it may, it nears, it avoided, it was long ago, or it is of another. */
export const notFiled = lines(`
Pine Gate may file for bankruptcy within weeks
Pine Gate could soon file for Chapter 11, people familiar say
Pine Gate nears Chapter 11 filing
Pine Gate is close to filing for bankruptcy
Pine Gate prepares to file for Chapter 11
Pine Gate weighs Chapter 11 as bids fall due
Pine Gate expected to file for bankruptcy this week
Pine Gate plans Chapter 11 filing
Pine Gate reportedly files for bankruptcy
Report: Pine Gate files for bankruptcy
Sunnova avoids bankruptcy with rescue loan
Sunnova averts Chapter 11 filing
Sunnova warns it may seek bankruptcy protection
Sunnova denies it has filed for bankruptcy
Sunnova has not filed for Chapter 11, executive says
Sunnova files for bankruptcy? Company denies rumor
Sunnova did not file for Chapter 11
Sunnova files for Chapter 11? What we know
Will Sunnova file for bankruptcy?
What happens if Sunnova files for bankruptcy
How to file for bankruptcy when the solar loan is too much
SunPower emerges from Chapter 11
SunPower exits bankruptcy under new owner
SunPower comes out of bankruptcy
SunPower wins approval of Chapter 11 plan
SunPower files Chapter 11 plan of reorganization
SunPower, which filed for bankruptcy in 2024, opens new plant
SunPower filed for bankruptcy two years ago
Complete Solaria buys bankrupt SunPower's assets
Nofar buys 1 GW from bankrupt Pine Gate
Bankrupt Pine Gate sells 1 GW portfolio to Nofar
Lender to bankrupt developer takes $90 million charge
Arevon wins contract in Pine Gate bankruptcy case
Arevon files objection in Pine Gate bankruptcy
Arevon files claim in Chapter 11 case of Pine Gate
Chapter 11 plan of supplier hits Arevon
Arevon supplier files for Chapter 11
Supplier to Arevon files for bankruptcy
Blue Ridge Power, sister of Pine Gate, files for Chapter 11
Pine Gate subsidiary files for bankruptcy
Arevon steps in after Pine Gate files for Chapter 11
Avantus shares drop as Pine Gate files for bankruptcy
Regulator says Pine Gate has filed for bankruptcy
Former Pine Gate executive files for bankruptcy
Creditors file involuntary bankruptcy petition against Pine Gate
Homeowners sue after solar installer went bankrupt
More solar developers file for bankruptcy
Nevada solar project files for Chapter 11
Enters bankruptcy auction: 500 MW of Pine Gate projects
Judge approves sale of Pine Gate assets in Chapter 11
Power line default darkens Pine Gate, Oregon
Pine Gate lays off 200 workers, hires restructuring adviser
Recycler's bankruptcy leaves old panels across the state
Pine Gate bankruptcy: what happens to 30 GW of projects
Brookfield provides DIP loan to Pine Gate in Chapter 11
Pine Gate on brink of bankruptcy
Pine Gate hires advisers ahead of possible bankruptcy filing
Pine Gate said to plan Chapter 11 filing
Pine Gate is said to near bankruptcy
Sunnova says bankruptcy possible
Sunnova raises substantial doubt, could seek bankruptcy
Longroad acquires Pine Gate assets out of bankruptcy
MN8 wins bankruptcy auction for Pine Gate projects
Cypress Creek acquires bankrupt rival's pipeline
SolarEdge takes hit from customer bankruptcy
SolarEdge to book charge after PosiGen goes bankrupt
Enphase says PosiGen bankruptcy will cut revenue
Bankruptcy judge lets Pine Gate tap financing
Intersect Power skirts bankruptcy
Inflation Reduction Act repeal would bankrupt developers
Rooftop solar bankruptcies mount
Texas couple files for bankruptcy after solar scam
Is NextEra going bankrupt?
Judge tosses suit claiming Avangrid files for bankruptcy protection illegally
Pine Gate files motion to extend Chapter 11 exclusivity
Pine Gate files for IPO
Pine Gate's Chapter 11 filing lists Arevon as creditor
Arevon among creditors as Pine Gate enters Chapter 11
Vesper Energy, not Pine Gate, files for Chapter 11
`);

/** Missed, because a word before the verb may mean that the filing is not theirs or no fact. */
export const missedFilings = lines(`
SunPower, once a rooftop solar leader, files for bankruptcy
Pine Gate, which raised $500 million, files for Chapter 11
Sunnova reports loss and files for Chapter 11
`);
