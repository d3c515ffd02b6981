//! Which functions a program can reach.
//!
//! The nodes are functions and tables of pointers. It begins at what nothing leads to, and what other files can enter.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::functions::Functions;
use super::summary::{Effects, Pointers, Summary};
use crate::program::Program;

/// Nodes, each with the one before it.
pub(crate) type Reached = HashMap<usize, Option<usize>>;

/// The nodes are the functions, in their order, and then the tables.
pub(crate) struct Graph<'a> {
    functions: &'a Functions<'a>,
    /// The addresses of the tables, and where the pointers in each lead.
    tables: Vec<(u64, Vec<usize>)>,
    /// The addresses at which tables begin, those without pointers included.
    bounds: Vec<u64>,
    pub(crate) roots: Vec<usize>,
}

impl<'a> Graph<'a> {
    /// `summaries` are of the functions, in the same order.
    pub(crate) fn new(
        program: &Program,
        functions: &'a Functions<'a>,
        summaries: &[Summary],
        pointers: &Pointers,
    ) -> Self {
        // A table begins where an address leads that is taken, or a symbol stands, and ends where the next one begins.
        let in_data = |address: &u64| !program.image.is_code(*address);
        let all = || summaries.iter().map(|summary| &summary.effects);
        let taken = all().flat_map(|effects| &effects.to).chain(pointers.values()).copied().filter(in_data);
        let mut bounds: Vec<u64> = taken.collect();
        bounds.extend(program.data.iter().map(|symbol| symbol.address));
        bounds.extend(program.image.sections.iter().map(|section| section.memory.start));
        bounds.sort_unstable();
        bounds.dedup();
        let mut graph = Self { functions, tables: Vec::new(), bounds, roots: Vec::new() };
        let mut held: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
        for (&at, &to) in pointers {
            held.entry(graph.bound(at).unwrap_or(at)).or_default().push((at, to));
        }
        graph.tables = held.keys().map(|&at| (at, Vec::new())).collect();
        // Of a table that nothing takes as a whole, such as the global offset table, each pointer is loaded by itself.
        let loads: HashSet<u64> = all().flat_map(|effects| effects.loads.iter().copied()).collect();
        let whole: HashSet<usize> =
            all().flat_map(|effects| &effects.to).chain(pointers.values()).filter_map(|&to| graph.node(to)).collect();
        let count = functions.0.len();
        for (number, all) in held.values().enumerate() {
            let is_whole = whole.contains(&(count + number));
            let each = all.iter().filter(|(at, _)| is_whole || !loads.contains(at));
            let to = each.filter_map(|&(_, to)| graph.node(to)).filter(|&to| to != count + number).collect();
            graph.tables[number].1 = to;
        }
        let plain = |at: usize| &summaries[at].effects;
        let out = |node: usize| graph.out(node, &plain).into_iter().filter(move |&to| to != node);
        let entered: HashSet<usize> = (0..graph.len()).flat_map(out).collect();
        graph.roots = program.exports.iter().filter_map(|&address| graph.node(address)).collect();
        let joined = |node: usize| functions.0.get(node).is_some_and(|function| function.owner != node);
        graph.roots.extend((0..graph.len()).filter(|node| !entered.contains(node) && !joined(*node)));
        // Functions that only call each other are entered in a way that is not seen.
        let mut reached = Reached::new();
        graph.reach(&graph.roots, &mut reached, &|_, _| false, &plain);
        for node in 0..graph.len() {
            if !reached.contains_key(&node) && !joined(node) {
                graph.roots.push(node);
                graph.reach(&[node], &mut reached, &|_, _| false, &plain);
            }
        }
        graph
    }

    fn len(&self) -> usize {
        self.functions.0.len() + self.tables.len()
    }

    fn bound(&self, address: u64) -> Option<u64> {
        let after = self.bounds.partition_point(|&start| start <= address);
        after.checked_sub(1).map(|at| self.bounds[at])
    }

    fn node(&self, address: u64) -> Option<usize> {
        self.functions.around(address).map(|at| self.functions.0[at].owner).or_else(|| {
            let bound = self.bound(address)?;
            let table = self.tables.binary_search_by_key(&bound, |(at, _)| *at).ok()?;
            Some(self.functions.0.len() + table)
        })
    }

    /// The address of a table.
    pub(crate) fn table(&self, node: usize) -> Option<u64> {
        self.tables.get(node.checked_sub(self.functions.0.len())?).map(|(at, _)| *at)
    }

    fn out<'w>(&self, node: usize, effects: &dyn Fn(usize) -> &'w Effects) -> Vec<usize> {
        match node.checked_sub(self.functions.0.len()) {
            Some(table) => self.tables[table].1.clone(),
            None => effects(node).to.iter().filter_map(|&to| self.node(to)).collect(),
        }
    }

    /// Adds the nodes that are reached from these; not where one is `shut` for the one before it.
    pub(crate) fn reach<'w>(
        &self,
        from: &[usize],
        reached: &mut Reached,
        shut: &dyn Fn(Option<usize>, usize) -> bool,
        effects: &dyn Fn(usize) -> &'w Effects,
    ) {
        let mut open: VecDeque<(usize, Option<usize>)> = from.iter().map(|&root| (root, None)).collect();
        while let Some((node, from)) = open.pop_front() {
            if !shut(from, node) && !reached.contains_key(&node) {
                reached.insert(node, from);
                open.extend(self.out(node, effects).into_iter().map(|to| (to, Some(node))));
            }
        }
    }
}

/// The nodes from a root to this one.
pub(crate) fn path(reached: &Reached, to: usize) -> Vec<usize> {
    let mut path: Vec<usize> = core::iter::successors(Some(to), |node| reached.get(node).copied().flatten()).collect();
    path.reverse();
    path
}
