//! What is known of the CPU wherever a function is entered.
//!
//! Functions and the tables of pointers in the data are the nodes of a graph; the ways between them carry what is known
//! where they begin. A node knows what all ways to it carry. What nothing leads to, and what other files can enter, is
//! entered with nothing known.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::facts::{ANY, Facts};
use super::summary::{Summary, Way};
use crate::program::Program;

/// A function, by the place of its first symbol, or a table, by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Node {
    Function(usize),
    Table(u64),
}

/// A way into a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Into {
    pub(crate) from: Node,
    pub(crate) shown: Facts,
}

pub(crate) struct Graph {
    out: HashMap<Node, Vec<(Node, Facts)>>,
    pub(crate) into: HashMap<Node, Vec<Into>>,
    roots: Vec<Node>,
    all: Vec<Node>,
}

impl Graph {
    /// `starts` are the functions' addresses, `own` the facts from their names, `summaries` what is known of each, in the same
    /// order.
    pub(crate) fn new(
        program: &Program,
        starts: &[u64],
        own: &[Facts],
        summaries: &[Summary],
        pointers: &BTreeMap<u64, u64>,
        exports: &[u64],
    ) -> Self {
        let function = |address: u64| {
            starts.binary_search(&address).ok().or_else(|| {
                let around = program.symbol_around(address)?;
                starts.binary_search(&around.address).ok()
            })
        };
        // A table begins where an address leads that is taken, or a symbol stands, and ends where the next one begins.
        let in_data = |address: u64| !program.image.is_code(address);
        let ways = || summaries.iter().flat_map(|summary| &summary.ways);
        let mut tables: Vec<u64> =
            ways().map(|way| way.to).chain(pointers.values().copied()).filter(|&to| in_data(to)).collect();
        tables.extend(program.data.iter().map(|symbol| symbol.address));
        tables.extend(program.image.sections.iter().map(|section| section.memory.start));
        tables.sort_unstable();
        tables.dedup();
        let table = |address: u64| {
            let after = tables.partition_point(|&start| start <= address);
            after.checked_sub(1).map(|at| tables[at])
        };
        // Only those with pointers matter.
        let mut held: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
        for (&at, &to) in pointers {
            held.entry(table(at).unwrap_or(at)).or_default().push((at, to));
        }
        let node = |address: u64| match function(address) {
            Some(at) => Some(Node::Function(at)),
            None => table(address).filter(|table| held.contains_key(table)).map(Node::Table),
        };
        let mut graph = Self { out: HashMap::new(), into: HashMap::new(), roots: Vec::new(), all: Vec::new() };
        graph.all = (0..starts.len()).map(Node::Function).chain(held.keys().map(|&at| Node::Table(at))).collect();
        for (at, summary) in summaries.iter().enumerate() {
            for &Way { to, shown, .. } in &summary.ways {
                if let Some(to) = node(to) {
                    // The test before a clone is for its target, and not for any feature.
                    let clone = matches!(to, Node::Function(to) if own[to] != 0);
                    graph.add(Node::Function(at), to, if clone && shown == ANY { 0 } else { shown });
                }
            }
        }
        // Of a table that nothing takes as a whole, such as the global offset table, each pointer is loaded by itself.
        let loads: HashSet<u64> = summaries.iter().flat_map(|summary| summary.loads.iter().copied()).collect();
        for (&at, all) in &held {
            let taken = graph.into.contains_key(&Node::Table(at));
            for &(_, to) in all.iter().filter(|(slot, _)| taken || !loads.contains(slot)) {
                if let Some(to) = node(to) {
                    graph.add(Node::Table(at), to, 0);
                }
            }
        }
        graph.roots = exports.iter().filter_map(|&address| node(address)).collect();
        let entered = |node: &Node| graph.into.contains_key(node);
        let lone: Vec<Node> = graph.all.iter().copied().filter(|node| !entered(node)).collect();
        graph.roots.extend(lone);
        graph
    }

    fn add(&mut self, from: Node, to: Node, shown: Facts) {
        if from == to {
            return;
        }
        self.out.entry(from).or_default().push((to, shown));
        self.into.entry(to).or_default().push(Into { from, shown });
    }

    /// What is known wherever each node is entered; `own` is what its name says.
    pub(crate) fn solve(&self, own: &dyn Fn(Node) -> Facts) -> HashMap<Node, Facts> {
        let mut known: HashMap<Node, Facts> = HashMap::new();
        let mut open: Vec<Node> = Vec::new();
        let enter = |known: &mut HashMap<Node, Facts>, open: &mut Vec<Node>, node: Node, facts: Facts| {
            let before = known.get(&node).copied();
            let now = before.unwrap_or(ANY) & (facts | own(node));
            if before != Some(now) {
                known.insert(node, now);
                open.push(node);
            }
        };
        for &root in &self.roots {
            enter(&mut known, &mut open, root, 0);
        }
        loop {
            while let Some(node) = open.pop() {
                let here = known[&node];
                for &(to, shown) in self.out.get(&node).into_iter().flatten() {
                    enter(&mut known, &mut open, to, here | shown);
                }
            }
            // Functions that only call each other are entered in a way that is not seen.
            match self.all.iter().find(|node| !known.contains_key(node)) {
                Some(&node) => enter(&mut known, &mut open, node, 0),
                None => return known,
            }
        }
    }

    /// How a node is entered without these: the nodes from a root to it.
    pub(crate) fn path(&self, known: &HashMap<Node, Facts>, to: Node, lacking: Facts) -> Vec<Node> {
        let mut before: HashMap<Node, Node> = HashMap::new();
        let mut open = std::collections::VecDeque::from([to]);
        while let Some(node) = open.pop_front() {
            let ways = self.into.get(&node).into_iter().flatten();
            if self.roots.contains(&node) {
                let mut path = vec![node];
                let mut at = node;
                while let Some(&next) = before.get(&at) {
                    path.push(next);
                    at = next;
                }
                return path;
            }
            for way in ways.filter(|way| (way.shown | known[&way.from]) & lacking != lacking) {
                if way.from != to && !before.contains_key(&way.from) {
                    before.insert(way.from, node);
                    open.push_back(way.from);
                }
            }
        }
        vec![to]
    }
}
